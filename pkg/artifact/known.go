package artifact

// known returns the kinds that the platform's components define, and some that stand beside them on many clusters, as their
// CustomResourceDefinitions have them; true for those whose objects live in namespaces. Kinds of other components come with
// --crds or from a cluster.
func known() map[GroupKind]bool {
	return table([]row{
		{"acme.cert-manager.io", "Challenge Order", ""},
		{"app.k8s.io", "Application", ""},
		{"aquasecurity.github.io", "ConfigAuditReport ExposedSecretReport InfraAssessmentReport RbacAssessmentReport SbomReport VulnerabilityReport",
			"ClusterComplianceReport ClusterConfigAuditReport ClusterInfraAssessmentReport ClusterRbacAssessmentReport ClusterSbomReport ClusterVulnerabilityReport"},
		{"argocd-image-updater.argoproj.io", "ImageUpdater", ""},
		{"argoproj.io", "AnalysisRun AnalysisTemplate AppProject Application ApplicationSet CronWorkflow EventBus EventSource Experiment Rollout Sensor " +
			"Workflow WorkflowArtifactGCTask WorkflowEventBinding WorkflowTaskResult WorkflowTaskSet WorkflowTemplate",
			"ClusterAnalysisTemplate ClusterWorkflowTemplate"},
		{"autoscaling.internal.knative.dev", "Metric PodAutoscaler", ""},
		{"autoscaling.k8s.io", "VerticalPodAutoscaler VerticalPodAutoscalerCheckpoint", ""},
		{"barmancloud.cnpg.io", "ObjectStore", ""},
		{"bitnami.com", "SealedSecret", ""},
		{"caching.internal.knative.dev", "Image", ""},
		{"cert-manager.io", "Certificate CertificateRequest Issuer", "ClusterIssuer"},
		{"cluster.x-k8s.io", "Cluster ClusterClass Machine MachineDeployment MachineDrainRule MachineHealthCheck MachinePool MachineSet", ""},
		{"dashboard.tekton.dev", "Extension", ""},
		{"eventing.keda.sh", "CloudEventSource", "ClusterCloudEventSource"},
		{"eventing.knative.dev", "Broker EventType Trigger", ""},
		{"extensions.istio.io", "TrafficExtension WasmPlugin", ""},
		{"external-secrets.io", "ExternalSecret PushSecret SecretStore", "ClusterExternalSecret ClusterPushSecret ClusterSecretStore"},
		{"externaldns.k8s.io", "DNSEndpoint", ""},
		{"gateway.networking.k8s.io", "BackendTLSPolicy GRPCRoute Gateway HTTPRoute ListenerSet ReferenceGrant TCPRoute TLSRoute UDPRoute", "GatewayClass"},
		{"generators.external-secrets.io", "ACRAccessToken BeyondtrustWorkloadCredentialsDynamicSecret CloudsmithAccessToken ECRAuthorizationToken Fake " +
			"GCRAccessToken GeneratorState GithubAccessToken GitlabDeployToken Grafana MFA Password QuayAccessToken SSHKey STSSessionToken UUID " +
			"VaultDynamicSecret Webhook", "ClusterGenerator"},
		{"groupsnapshot.storage.k8s.io", "VolumeGroupSnapshot", "VolumeGroupSnapshotClass VolumeGroupSnapshotContent"},
		{"keda.sh", "ScaledJob ScaledObject TriggerAuthentication", "ClusterTriggerAuthentication"},
		{"kubeflow.org", "ScheduledWorkflow Viewer", ""},
		{"kyverno.io", "CleanupPolicy Policy PolicyException UpdateRequest", "ClusterCleanupPolicy ClusterPolicy GlobalContextEntry"},
		{"monitoring.coreos.com", "Alertmanager AlertmanagerConfig PodMonitor Probe Prometheus PrometheusAgent PrometheusRule ScrapeConfig ServiceMonitor ThanosRuler", ""},
		{"networking.internal.knative.dev", "Certificate Ingress ServerlessService", "ClusterDomainClaim"},
		{"networking.istio.io", "DestinationRule EnvoyFilter Gateway ProxyConfig ServiceEntry Sidecar VirtualService WorkloadEntry WorkloadGroup", ""},
		{"networking.linode.com", "CloudFirewall", ""},
		{"openreports.io", "Report", "ClusterReport"},
		{"opentelemetry.io", "Instrumentation OpAMPBridge OpenTelemetryCollector TargetAllocator", ""},
		{"operator.knative.dev", "KnativeEventing KnativeServing", ""},
		{"policies.kyverno.io", "NamespacedDeletingPolicy NamespacedGeneratingPolicy NamespacedImageValidatingPolicy NamespacedMutatingPolicy " +
			"NamespacedValidatingPolicy PolicyException", "DeletingPolicy GeneratingPolicy ImageValidatingPolicy MutatingPolicy ValidatingPolicy"},
		{"policyreporter.kyverno.io", "", "TargetConfig"},
		{"postgresql.cnpg.io", "Backup Cluster Database DatabaseRole FailoverQuorum ImageCatalog Pooler Publication ScheduledBackup Subscription", "ClusterImageCatalog"},
		{"rabbitmq.com", "Binding Exchange Federation OperatorPolicy Permission Policy Queue RabbitmqCluster SchemaReplication Shovel SuperStream " +
			"TopicPermission User Vhost", ""},
		{"reports.kyverno.io", "EphemeralReport", "ClusterEphemeralReport"},
		{"resolution.tekton.dev", "ResolutionRequest", ""},
		{"rollout-operator.grafana.com", "ReplicaTemplate ZoneAwarePodDisruptionBudget", ""},
		{"security.istio.io", "AuthorizationPolicy PeerAuthentication RequestAuthentication", ""},
		{"serving.knative.dev", "Configuration DomainMapping Revision Route Service", ""},
		{"serving.kserve.io", "InferenceGraph InferenceService ServingRuntime TrainedModel", "ClusterServingRuntime ClusterStorageContainer"},
		{"snapshot.storage.k8s.io", "VolumeSnapshot", "VolumeSnapshotClass VolumeSnapshotContent"},
		{"tekton.dev", "CustomRun Pipeline PipelineRun StepAction Task TaskRun VerificationPolicy", ""},
		{"telemetry.istio.io", "Telemetry", ""},
		{"triggers.tekton.dev", "EventListener Interceptor Trigger TriggerBinding TriggerTemplate", "ClusterInterceptor ClusterTriggerBinding"},
		{"ui.policyreporter.kyverno.io", "NamespaceCustomBoard", "CustomBoard"},
		{"wgpolicyk8s.io", "PolicyReport", "ClusterPolicyReport"},
	})
}
