package chart

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
)

const (
	// maxDownload bounds a package, in bytes. The largest charts of a platform have some 1 MB.
	maxDownload = 100 << 20
	// maxRedirects is what Go's client follows by itself.
	maxRedirects = 10
)

// confined returns a client that follows a redirect without credentials unless it stays with the same scheme and host. Go's
// own client passes them on to subdomains.
func confined(client *http.Client) *http.Client {
	out := *client
	out.CheckRedirect = func(req *http.Request, via []*http.Request) error {
		first := via[0].URL
		switch {
		case len(via) >= maxRedirects:
			return fmt.Errorf("more than %d redirects", maxRedirects)
		case req.URL.Scheme != "https" && req.URL.Scheme != first.Scheme:
			return errors.New("a redirect that leaves https is not followed")
		case req.URL.Scheme != first.Scheme || req.URL.Host != first.Host:
			req.Header.Del("Authorization")
			req.Header.Del("Cookie")
		}
		return nil
	}
	return &out
}

// get writes what a URL holds to a file, and returns its SHA-256. Errors show no credentials.
func (s *Store) get(ctx context.Context, address string, login credentials, limit int64, file *os.File) (digest string, err error) {
	fail := func(err error) (string, error) {
		var at *url.Error
		if errors.As(err, &at) {
			err = at.Err // its URL can hold what must not be shown
		}
		if strings.Contains(err.Error(), "Location header") {
			err = errors.New("it redirects to what is no URL") // which Go's client quotes
		}
		return "", fmt.Errorf("%w: get %s: %w", ErrUnreachable, redacted(address), err)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return fail(errors.New("no URL"))
	}
	if !login.empty() {
		request.SetBasicAuth(login.user, login.password)
	}
	response, err := s.http.Do(request)
	if err != nil {
		return fail(err)
	}
	defer response.Body.Close()
	switch response.StatusCode {
	case http.StatusOK:
	case http.StatusNotFound:
		return "", fmt.Errorf("%w: get %s: %s", ErrNotFound, redacted(address), response.Status)
	case http.StatusUnauthorized, http.StatusForbidden:
		return fail(fmt.Errorf("%s; log in with helm repo add or helm registry login", response.Status))
	default:
		return fail(errors.New(response.Status))
	}
	digest, err = copyBounded(file, response.Body, limit)
	if errors.Is(err, ErrUnfit) {
		return "", fmt.Errorf("get %s: %w", redacted(address), err)
	}
	if err != nil {
		return fail(err)
	}
	return digest, nil
}

// copyBounded copies up to limit bytes, and returns their SHA-256. More than that is ErrUnfit.
func copyBounded(to io.Writer, from io.Reader, limit int64) (digest string, err error) {
	sum := sha256.New()
	n, err := io.Copy(io.MultiWriter(to, sum), io.LimitReader(from, limit+1))
	switch {
	case err != nil:
		return "", err
	case n > limit:
		return "", fmt.Errorf("%w: larger than %d MiB", ErrUnfit, limit>>20)
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}
