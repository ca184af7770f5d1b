package argocd

import (
	"errors"

	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// RepositoryURLs returns the URLs of a list of repositories as argocd-cm holds one (its keys repositories,
// repository.credentials and helm.repositories, which Argo CD reads before 3.0), without credentials. The error quotes
// nothing: such a list can hold some.
func RepositoryURLs(yaml string) ([]string, error) {
	const list = "list"
	object, err := values.DecodeObject("argocd-cm", []byte(list+":\n"+yaml))
	if err != nil {
		return nil, errors.New("it does not parse")
	}
	items, _, err := field[[]any](object, list)
	if err != nil || len(object) > 1 {
		return nil, errors.New("it is no list")
	}
	var out []string
	for _, item := range items {
		repository, _ := item.(map[string]any)
		url := text(repository, "url")
		if url == "" {
			continue // Argo CD passes over it too
		}
		out = append(out, RedactURL(url))
	}
	return out, nil
}
