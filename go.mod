module github.com/kubectl-apl/kubectl-apl

go 1.26.0
