package plugin

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// input is one stream of YAML or JSON documents that -f named.
type input struct {
	name string // as errors show it
	open func() (io.ReadCloser, error)
}

// inputs resolves the values of -f as kubectl does: "-" is standard input, a folder means its .yaml, .yml and .json
// files in the order of their names, not those of folders below it.
func inputs(filenames []string, stdin io.Reader) ([]input, error) {
	return flagInputs("-f", filenames, stdin)
}

// flagInputs resolves the values of another flag as inputs does; without stdin, "-" is a name like others.
func flagInputs(flag string, filenames []string, stdin io.Reader) ([]input, error) {
	var out []input
	for i, name := range filenames {
		if name == "-" && stdin != nil {
			if slices.Contains(filenames[:i], "-") {
				return nil, fmt.Errorf("%s -: standard input can be read only once", flag)
			}
			out = append(out, input{name: "standard input", open: func() (io.ReadCloser, error) { return io.NopCloser(stdin), nil }})
			continue
		}
		files, err := manifestFiles(flag, name)
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			out = append(out, input{name: file, open: func() (io.ReadCloser, error) { return os.Open(file) }})
		}
	}
	return out, nil
}

func manifestFiles(flag, name string) ([]string, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", flag, name, plainPathError(err))
	}
	if !info.IsDir() {
		return []string{name}, nil
	}
	entries, err := os.ReadDir(name)
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", flag, name, plainPathError(err))
	}
	var files []string
	for _, e := range entries {
		if !e.IsDir() && slices.Contains([]string{".yaml", ".yml", ".json"}, strings.ToLower(filepath.Ext(e.Name()))) {
			files = append(files, filepath.Join(name, e.Name()))
		}
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s %s: the folder has no .yaml, .yml or .json file", flag, name)
	}
	return files, nil
}

// plainPathError drops the path from an error of package os, for messages that name it already.
func plainPathError(err error) error {
	var pathError *os.PathError
	if errors.As(err, &pathError) {
		return pathError.Err
	}
	return err
}

// findRepo returns the folder that holds env/: dir when it is given, else the nearest one from the working directory
// upwards.
func findRepo(dir string) (string, error) {
	if dir != "" {
		info, err := os.Stat(dir)
		switch {
		case err != nil:
			return "", fmt.Errorf("--repo %s: %w", dir, plainPathError(err))
		case !info.IsDir():
			return "", fmt.Errorf("--repo %s: not a folder", dir)
		}
		return dir, nil
	}
	at, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("find the values repo: %w", err)
	}
	for {
		if info, err := os.Stat(filepath.Join(at, "env")); err == nil && info.IsDir() {
			return at, nil
		}
		parent := filepath.Dir(at)
		if parent == at {
			return "", errors.New("no values repo here: no folder from here upwards holds env/; name it with --repo")
		}
		at = parent
	}
}
