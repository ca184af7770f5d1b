package artifact

// BuiltIn returns the kinds that Kubernetes itself serves, true for those whose objects live in namespaces. A test compares them
// with what a real API server says of itself.
func BuiltIn() map[GroupKind]bool {
	return table([]row{
		{"", "Binding ConfigMap Endpoints Event LimitRange PersistentVolumeClaim Pod PodTemplate ReplicationController ResourceQuota Secret Service ServiceAccount",
			"ComponentStatus Namespace Node PersistentVolume"},
		{"admissionregistration.k8s.io", "", "MutatingAdmissionPolicy MutatingAdmissionPolicyBinding MutatingWebhookConfiguration " +
			"ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding ValidatingWebhookConfiguration"},
		{"apiextensions.k8s.io", "", "CustomResourceDefinition"},
		{"apiregistration.k8s.io", "", "APIService"},
		{"apps", "ControllerRevision DaemonSet Deployment ReplicaSet StatefulSet", ""},
		{"authentication.k8s.io", "", "SelfSubjectReview TokenReview"},
		{"authorization.k8s.io", "LocalSubjectAccessReview", "SelfSubjectAccessReview SelfSubjectRulesReview SubjectAccessReview"},
		{"autoscaling", "HorizontalPodAutoscaler", ""},
		{"batch", "CronJob Job", ""},
		{"certificates.k8s.io", "", "CertificateSigningRequest"},
		{"coordination.k8s.io", "Lease", ""},
		{"discovery.k8s.io", "EndpointSlice", ""},
		{"events.k8s.io", "Event", ""},
		{"flowcontrol.apiserver.k8s.io", "", "FlowSchema PriorityLevelConfiguration"},
		{"networking.k8s.io", "Ingress NetworkPolicy", "IPAddress IngressClass ServiceCIDR"},
		{"node.k8s.io", "", "RuntimeClass"},
		{"policy", "PodDisruptionBudget", ""},
		{"rbac.authorization.k8s.io", "Role RoleBinding", "ClusterRole ClusterRoleBinding"},
		{"resource.k8s.io", "ResourceClaim ResourceClaimTemplate", "DeviceClass ResourceSlice"},
		{"scheduling.k8s.io", "", "PriorityClass"},
		{"storage.k8s.io", "CSIStorageCapacity", "CSIDriver CSINode StorageClass VolumeAttachment VolumeAttributesClass"},
	})
}
