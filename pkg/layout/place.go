package layout

import (
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
)

// Place is what stands at a path: one of Values, Application, Object, Settings, Apps and Config, and nothing else.
type Place interface {
	// Path returns the path of the place; Parse of it gives the same Place.
	Path() string
	place()
}

// Layer says which of an app's two value files is meant.
type Layer string

// The layers, in the order in which Helm reads them.
const (
	Managed Layer = "managed"
	Custom  Layer = "custom"
)

// Values is a value file of an app.
type Values struct {
	ID    app.ID
	Layer Layer
}

// Application is the file of an Application. It knows the app name only: a name is never split back into an identity,
// which stands in the file.
type Application struct{ Name string }

// Settings is the platform's settings file.
type Settings struct{}

// Apps is the file of the platform's apps.
type Apps struct{}

// Config is this tool's own file of exceptions.
type Config struct{}

// Path returns the path of the value file.
func (v Values) Path() string {
	if v.Layer == Managed {
		return ManagedFile(v.ID)
	}
	return CustomFile(v.ID)
}

// Path returns the path of the Application file.
func (a Application) Path() string { return ApplicationsDir + "/" + a.Name + extension }

// Path returns SettingsFile.
func (Settings) Path() string { return SettingsFile }

// Path returns AppsFile.
func (Apps) Path() string { return AppsFile }

// Path returns ConfigFile.
func (Config) Path() string { return ConfigFile }

func (Values) place()      {}
func (Application) place() {}
func (Settings) place()    {}
func (Apps) place()        {}
func (Config) place()      {}

// Parse reads a path that is relative to the values repo's root. It returns false for a path that this package does not
// make, and so for anything that is spelled otherwise ("./env/...", upper case, a doubled slash): one place has one path.
func Parse(path string) (Place, bool) {
	switch path {
	case SettingsFile:
		return Settings{}, true
	case AppsFile:
		return Apps{}, true
	case ConfigFile:
		return Config{}, true
	}
	if rest, ok := strings.CutPrefix(path, ApplicationsDir+"/"); ok {
		name, ok := strings.CutSuffix(rest, extension)
		if !ok || !isAppName(name) {
			return nil, false
		}
		return Application{Name: name}, true
	}
	if rest, ok := strings.CutPrefix(path, ManifestsDir+"/"); ok {
		return parseObject(rest)
	}
	if rest, ok := strings.CutPrefix(path, ValuesDir+"/"); ok {
		return parseValues(rest)
	}
	return nil, false
}

func parseValues(rest string) (Place, bool) {
	parts := strings.Split(rest, "/")
	if len(parts) != 3 {
		return nil, false
	}
	v := Values{ID: app.ID{Namespace: parts[0], Release: parts[1]}}
	switch parts[2] {
	case managedName:
		v.Layer = Managed
	case customName:
		v.Layer = Custom
	default:
		return nil, false
	}
	if v.ID.Validate() != nil { // the reason does not matter here: such a folder holds no app
		return nil, false
	}
	return v, true
}

// isAppName reports whether some identity has that name. It says nothing of which: more than one can.
func isAppName(name string) bool {
	for i, c := range name {
		if c != '-' {
			continue
		}
		if (app.ID{Namespace: name[:i], Release: name[i+1:]}).Validate() == nil {
			return true
		}
	}
	return false
}
