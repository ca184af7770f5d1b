package artifact

import (
	"fmt"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
)

// Protection says which objects keep what they hold when their file vanishes from git, or the Application that syncs it
// (DESIGN 10): they get the sync options Prune=false and Delete=false.
type Protection string

// The values of Protection.
const (
	// ProtectData protects the kinds whose loss loses data.
	ProtectData Protection = "data"
	ProtectAll  Protection = "all"
	ProtectNone Protection = "none"
)

const (
	// syncOptions is the annotation that says what Argo CD does with an object.
	syncOptions                 = "argocd.argoproj.io/sync-options"
	protectPrune, protectDelete = "Prune=false", "Delete=false"
)

// holdsData returns the kinds whose objects hold data, or the objects of others that would go with them: a
// CustomResourceDefinition all of its kind, a Namespace all in it, and an AppProject leaves its Applications hanging in
// Terminating (DESIGN 10).
func holdsData() map[GroupKind]bool {
	return table([]row{
		{"", "PersistentVolumeClaim", "Namespace PersistentVolume"},
		{"acid.zalan.do", "postgresql", ""},
		{"apiextensions.k8s.io", "", "CustomResourceDefinition"},
		{"argoproj.io", "AppProject", ""},
		{"barmancloud.cnpg.io", "ObjectStore", ""},
		{"clickhouse.altinity.com", "ClickHouseInstallation ClickHouseKeeperInstallation", ""},
		{"db.linode.com", "Postgresql MySQL", ""},
		{"elasticsearch.k8s.elastic.co", "Elasticsearch", ""},
		{"groupsnapshot.storage.k8s.io", "VolumeGroupSnapshot", "VolumeGroupSnapshotContent"},
		{"k8s.mariadb.com", "MariaDB Database", ""},
		{"kafka.strimzi.io", "Kafka KafkaNodePool KafkaTopic", ""},
		{"minio.min.io", "Tenant", ""},
		{"mongodbcommunity.mongodb.com", "MongoDBCommunity", ""},
		{"mysql.oracle.com", "InnoDBCluster", ""},
		{"opensearch.opster.io", "OpenSearchCluster", ""},
		{"postgres-operator.crunchydata.com", "PostgresCluster", ""},
		{"postgresql.cnpg.io", "Cluster Database", ""},
		{"psmdb.percona.com", "PerconaServerMongoDB", ""},
		{"pxc.percona.com", "PerconaXtraDBCluster", ""},
		{"rabbitmq.com", "Queue RabbitmqCluster Vhost", ""},
		{"redis.redis.opstreelabs.in", "Redis RedisCluster RedisReplication", ""},
		{"snapshot.storage.k8s.io", "VolumeSnapshot", "VolumeSnapshotContent"},
	})
}

// HoldsData reports whether the loss of an object of the kind loses data, or takes objects of others along.
func (k GroupKind) HoldsData() bool { return holdsData()[k] }

// protected tells whether sync options protect an object from both ways to go.
func protected(options string) bool {
	found := map[string]bool{}
	for option := range strings.SplitSeq(options, ",") {
		found[strings.TrimSpace(option)] = true
	}
	return found[protectPrune] && found[protectDelete]
}

// protect joins the protection to the object's own sync options. Options that say something else about pruning and deleting are
// replaced: Argo CD reads the first of several. All others stay.
func (i *Item) protect(own string) change {
	var kept []string
	for option := range strings.SplitSeq(own, ",") {
		option = strings.TrimSpace(option)
		key, _, _ := strings.Cut(option, "=")
		switch {
		case option == "":
		case key == "Prune" || key == "Delete":
			if option != protectPrune && option != protectDelete {
				i.note(finding.Warning, ruleSyncOption, fmt.Sprintf("its sync option %s is replaced by %s,%s: its loss would lose data", option, protectPrune, protectDelete), "--protect=none keeps it")
			}
		default:
			kept = append(kept, option)
		}
	}
	return change{path: []string{"metadata", "annotations", syncOptions}, value: strings.Join(append(kept, protectPrune, protectDelete), ",")}
}

// Protected tells whether the object outlives its file, as its own sync options say.
func (o Object) Protected() (bool, error) {
	metadata, err := o.metadata()
	return protected(texts(metadata["annotations"])[syncOptions]), err
}
