// Package values owns YAML values trees: it reads them as Helm does, merges and splits them by Helm's rules, and
// writes them back with the text that people wrote. It knows nothing of apps, charts, files or Argo CD.
//
// Two readings stand side by side (DESIGN 4, ADR 0002). Meaning comes from Helm's parser, sigs.k8s.io/yaml, so that
// yes, 0777 and the key 8080 are what Helm makes of them. Text and positions come from go.yaml.in/yaml/v3 nodes:
// comments, quotes, block scalars, key order and the digits of long numbers. Where the two disagree, meaning wins.
package values
