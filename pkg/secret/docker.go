package secret

import (
	"encoding/base64"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// isDockerKey tells the keys whose whole value is a docker config.
func isDockerKey(key string) bool {
	switch strings.TrimPrefix(strings.ToLower(key), ".") {
	case "dockerconfigjson", "dockercfg", "dockerconfig":
		return true
	}
	return false
}

// auths reports the credentials under the key auths of a docker config; ok is false when v is none.
func (w *walker) auths(v any) (ok bool) {
	hosts, ok := v.(map[string]any)
	if !ok {
		return false
	}
	for host, entry := range hosts {
		fields, ok := entry.(map[string]any)
		if !ok {
			continue
		}
		w.key(host)
		for _, field := range []string{"auth", "password", "identitytoken", "registrytoken"} {
			s, _ := fields[field].(string)
			w.push(values.Step{Key: field})
			if field == "auth" {
				w.report(RuleDockerConfig, judgeAuth(s))
			} else {
				w.report(RuleDockerConfig, classify(s, true).verdict())
			}
			w.pop()
		}
		w.pop()
	}
	return true
}

// judgeAuth judges user:password in base64, as docker login writes it.
func judgeAuth(s string) verdict {
	if v := classify(s, true).verdict(); v != literal {
		return v
	}
	decoded, err := base64.StdEncoding.DecodeString(strings.TrimSpace(s))
	if err != nil {
		return literal
	}
	_, pass, ok := strings.Cut(string(decoded), ":")
	if !ok {
		return literal
	}
	return classify(pass, true).verdict()
}

// dockerConfig judges the value of a key that is named for a docker config: its text, the text's base64 form, or a
// tree. ok is false when the general rules have to look, because v is no such thing.
func (w *walker) dockerConfig(v any) (ok bool) {
	if hosts, isMap := v.(map[string]any); isMap {
		return hosts["auths"] == nil && w.auths(hosts) // the old form has no auths around the hosts
	}
	s, isString := v.(string)
	if !isString || classify(s, true) != other {
		return isString
	}
	if decoded, ok := decodeBase64(s); ok {
		s = decoded
	}
	trees, _, err := parseDocuments(s)
	if err != nil || len(s) > maxDocument || len(trees) != 1 || !isContainer(trees[0]) {
		w.report(RuleDockerConfig, literal) // whatever it is, docker would read credentials from it
		return true
	}
	inner := w.within()
	if m, isMap := trees[0].(map[string]any); !isMap || m["auths"] != nil || !inner.auths(m) {
		inner.walk(trees[0], 0)
	}
	w.hits = append(w.hits, inner.hits...)
	return true
}
