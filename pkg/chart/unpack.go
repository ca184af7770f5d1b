package chart

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"
)

const (
	maxUnpacked = 100 << 20 // bytes, as Helm
	maxFiles    = 20_000
)

func packageTree(digest string) string { return "sha256-" + digest }

func filesTree(digest string) string { return "files-" + digest }

// unpacked puts a chart's package into the cache, by what it holds: download writes it to a file and returns its SHA-256.
// Helm's packages have one folder above all, which is left out.
func (s *Store) unpacked(download func(*os.File) (string, error)) (digest string, err error) {
	return s.unpackInto(download, packageTree, unpacking{gzip: true, strip: true})
}

// unpackedFiles does so for an archive without such a folder.
func (s *Store) unpackedFiles(download func(*os.File) (string, error), zipped bool) error {
	_, err := s.unpackInto(download, filesTree, unpacking{gzip: zipped})
	return err
}

func (s *Store) unpackInto(download func(*os.File) (string, error), name func(string) string, how unpacking) (digest string, err error) {
	dir, err := s.cache.aside()
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // sweep does it later
	file, err := os.Create(filepath.Join(dir, "package"))
	if err != nil {
		return "", fmt.Errorf("make a file in the chart cache: %w", err)
	}
	defer file.Close() //nolint:errcheck // it is dropped
	if digest, err = download(file); err != nil {
		return "", err
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return "", fmt.Errorf("read the chart cache: %w", err)
	}
	to := filepath.Join(dir, "tree")
	if err := how.unpack(file, to); err != nil {
		return "", err
	}
	return digest, s.cache.keep(to, name(digest))
}

// unpacking is how to unpack an archive.
type unpacking struct {
	gzip  bool
	strip bool // leave the first folder of each path out
}

// unpack writes an archive's folders and files to a new folder. It refuses, with ErrUnfit, what no chart needs: a path that
// leaves the folder, a link that does, a device, two files at one path, more or larger files than Helm takes.
func (u unpacking) unpack(from io.Reader, to string) error {
	if u.gzip {
		zipped, err := gzip.NewReader(from)
		if err != nil {
			return fmt.Errorf("%w: it is no gzip archive", ErrUnfit)
		}
		from = zipped
	}
	if err := os.Mkdir(to, 0o700); err != nil {
		return fmt.Errorf("make a folder in the chart cache: %w", err)
	}
	root, err := os.OpenRoot(to)
	if err != nil {
		return fmt.Errorf("make a folder in the chart cache: %w", err)
	}
	defer root.Close() //nolint:errcheck // only its files were written, and those are closed
	archive := tar.NewReader(from)
	links := map[string]string{}
	left := int64(maxUnpacked)
	for files := 0; ; files++ {
		header, err := archive.Next()
		switch {
		case errors.Is(err, io.EOF):
			return link(root, links)
		case err != nil:
			return fmt.Errorf("%w: it is no tar archive, or cut short", ErrUnfit)
		case files == maxFiles:
			return fmt.Errorf("%w: more than %d files", ErrUnfit, maxFiles)
		case header.Typeflag == tar.TypeXGlobalHeader || header.Typeflag == tar.TypeDir:
			continue // a folder without files is nothing to a chart
		}
		name, err := u.name(header.Name)
		if err != nil {
			return err
		}
		switch header.Typeflag {
		case tar.TypeReg:
			n, err := writeFile(root, name, archive, left)
			if err != nil {
				return err
			}
			left -= n
		case tar.TypeSymlink:
			links[name] = header.Linkname
		default:
			return fmt.Errorf("%w: %s in it is no file", ErrUnfit, header.Name)
		}
	}
}

// name returns where a member of the archive goes.
func (u unpacking) name(text string) (string, error) {
	name := strings.ReplaceAll(text, `\`, "/") // packed on Windows
	name = strings.TrimPrefix(name, "./")
	if u.strip {
		_, rest, ok := strings.Cut(name, "/")
		if !ok {
			return "", fmt.Errorf("%w: %q in it lies outside the chart's folder", ErrUnfit, text)
		}
		name = rest
	}
	if clean := path.Clean(name); clean != "." && filepath.IsLocal(filepath.FromSlash(clean)) && !strings.Contains(name, "..") && !strings.Contains(name, ":") {
		return clean, nil
	}
	return "", fmt.Errorf("%w: %q in it leaves the chart's folder", ErrUnfit, text)
}

// writeFile writes one file, and returns its size. Through root it cannot leave the folder.
func writeFile(root *os.Root, name string, from io.Reader, left int64) (int64, error) {
	if dir := path.Dir(name); dir != "." {
		if err := root.MkdirAll(filepath.FromSlash(dir), 0o700); err != nil {
			return 0, fmt.Errorf("%w: a folder for %q cannot be made", ErrUnfit, name)
		}
	}
	file, err := root.OpenFile(filepath.FromSlash(name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return 0, fmt.Errorf("%w: %q is in it twice", ErrUnfit, name)
	}
	if err != nil {
		return 0, fmt.Errorf("write %q to the chart cache: %w", name, err)
	}
	n, err := io.Copy(file, io.LimitReader(from, left+1))
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, gzip.ErrChecksum) || errors.Is(err, gzip.ErrHeader) {
		err = fmt.Errorf("%w: it is cut short", ErrUnfit)
	}
	if err := errors.Join(err, file.Close()); err != nil {
		return n, fmt.Errorf("write %q to the chart cache: %w", name, err)
	}
	if n > left {
		return n, fmt.Errorf("%w: unpacked it is larger than %d MiB", ErrUnfit, maxUnpacked>>20)
	}
	return n, nil
}

// link makes the symbolic links, after all files so that none of them is written through one, and sees where each leads.
func link(root *os.Root, links map[string]string) error {
	for name, target := range links {
		if err := root.MkdirAll(filepath.FromSlash(path.Dir(name)), 0o700); err != nil {
			return fmt.Errorf("%w: a folder for %q cannot be made", ErrUnfit, name)
		}
		if err := root.Symlink(filepath.FromSlash(target), filepath.FromSlash(name)); err != nil {
			return fmt.Errorf("%w: the symbolic link %q cannot be made", ErrUnfit, name)
		}
	}
	for name := range links {
		if _, err := root.Stat(filepath.FromSlash(name)); err != nil {
			return fmt.Errorf("%w: the symbolic link %q leads nowhere, or out of the chart's folder", ErrUnfit, name)
		}
	}
	return nil
}

// sameHost tells whether two URLs speak to the same server in the same way.
func sameHost(a, b string) bool {
	x, errX := url.Parse(a)
	y, errY := url.Parse(b)
	return errX == nil && errY == nil && x.Scheme == y.Scheme && x.Host == y.Host
}
