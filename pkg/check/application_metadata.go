package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// label: what the platform's operator, and this tool, know the Application by.
func (s *subject) label() []placed {
	if s.Label(argocd.OwnerLabel) == argocd.LabelManaged {
		return nil
	}
	want := argocd.OwnerLabel + ": " + argocd.LabelManaged
	return shape(keys("metadata", "labels", argocd.OwnerLabel), "the label "+want+" is not there: neither the platform nor this tool takes the Application for one of its apps",
		"write the label "+want)
}

// protection: the Application outlives its file and the root app (DESIGN 10). An Application that is not moved gets it by the move.
func (s *subject) protection() []placed {
	if s.inline {
		return nil
	}
	at := keys("metadata", "annotations", argocd.SyncOptionsAnnotation)
	next := fmt.Sprintf("write %s: %s", argocd.SyncOptionsAnnotation, s.Protection())
	var out []placed
	against := ""
	for _, option := range s.SyncOptions() {
		switch key, value, _ := strings.Cut(option, "="); {
		case (key == "Prune" || key == "Delete") && value != "false":
			against = option
		case (key == "Replace" || key == "Force") && value == "true":
			out = append(out, found(at, RuleShape, "the sync option "+option+" wipes the Application's status, and with Replace=true and Force=true both, all that it runs is deleted and made again", next))
		}
	}
	switch {
	case !s.Protected():
		out = append(out, found(at, RuleShape, "the Application is not protected: a commit without its file, or an end of the root app, deletes it and all that it runs", next))
	case against != "":
		out = append(out, found(at, RuleShape, "the sync option "+against+" contradicts the protection: which of both counts depends on Argo CD's version", next))
	}
	return out
}

// finalizers: those of Argo CD's own domain that it does not know keep the Application from ever going.
func (s *subject) finalizers() []placed {
	known := []string{argocd.ResourcesFinalizer, argocd.ResourcesFinalizer + "/background", argocd.ResourcesFinalizer + "/foreground"}
	const domain, hooks = "argocd.argoproj.io", "post-delete-finalizer."
	var out []placed
	s.texts(keys("metadata", "finalizers"), func(at values.Path, f string) {
		if strings.Contains(f, domain) && !slices.Contains(known, f) && !strings.HasPrefix(f, hooks+domain) {
			out = append(out, shape(at, "Argo CD does not know this finalizer, and the Application could never be deleted",
				"write "+argocd.ResourcesFinalizer+", or remove it")...)
		}
	})
	return out
}

// destination: one cluster, the platform's own.
func (s *subject) destination() []placed {
	at := keys("spec", "destination")
	server, name := s.text(at.Key("server")), s.text(at.Key("name"))
	const next = "write server: " + argocd.InCluster
	switch {
	case server == "" && name == "":
		return shape(at.Key("server"), "the destination names no cluster, and Argo CD deploys nothing", next)
	case server != "" && name != "":
		return shape(at.Key("name"), "the destination names a cluster by its address and by its name, and Argo CD refuses both together", "remove one of both")
	case server != "" && strings.TrimSuffix(server, "/") != argocd.InCluster:
		return warned(shape(at.Key("server"), "the destination is another cluster than the platform's own", next))
	case name != "" && name != argocd.InClusterName:
		return warned(shape(at.Key("name"), "the destination is another cluster than the platform's own", next))
	}
	return nil
}

// project: the CustomResourceDefinition requires one, if only an empty text, which is the project default.
func (s *subject) project() []placed {
	at := keys("spec", "project")
	if v, _ := values.Lookup(s.Object(), at); v != nil {
		return nil
	}
	return shape(at, "the Application names no project: the API server refuses it", "write project: default, or its own")
}

// syncPolicy: options that make anew what the app runs.
func (s *subject) syncPolicy() []placed {
	var out []placed
	s.texts(keys("spec", "syncPolicy", "syncOptions"), func(at values.Path, option string) {
		if option == "Replace=true" || option == "Force=true" {
			out = append(out, shape(at, option+" holds for all that the app runs: with Replace=true and Force=true both, every object is deleted and made again with each sync",
				"remove it, and annotate the one object that needs it with "+argocd.SyncOptionsAnnotation)...)
		}
	})
	return warned(out)
}

// text returns the text at a path, "" for none.
func (s *subject) text(at values.Path) string {
	value, _ := values.Lookup(s.Object(), at)
	text, _ := value.(string)
	return text
}

// texts calls each for every text of the list at a path.
func (s *subject) texts(at values.Path, each func(at values.Path, text string)) {
	value, _ := values.Lookup(s.Object(), at)
	list, _ := value.([]any)
	for i, item := range list {
		if text, ok := item.(string); ok {
			each(at.Index(i), text)
		}
	}
}
