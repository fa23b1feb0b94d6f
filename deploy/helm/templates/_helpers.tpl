{{- define "lettermill.selector" -}}
app.kubernetes.io/name: lettermill
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "lettermill.labels" -}}
{{ include "lettermill.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ .root.Chart.Name }}-{{ .root.Chart.Version }}
{{- end }}

{{- /* What a container is and may do, in every part: settings, no root, nothing written but to /tmp. */}}
{{- define "lettermill.container" -}}
image: {{ printf "%s:%s" .root.Values.image.repository (.root.Values.image.tag | default .root.Chart.AppVersion) | quote }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
command: {{ concat (list "node") .command | toJson }}
envFrom:
  - secretRef:
      name: {{ .root.Values.existingSecret }}
  - configMapRef:
      name: {{ .root.Release.Name }}-settings
{{- with get . "env" }}
env:
  {{- range $name, $value := . }}
  - name: {{ $name }}
    value: {{ $value | quote }}
  {{- end }}
{{- end }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
volumeMounts:
  - name: tmp
    mountPath: /tmp
  {{- with get . "files" }}
  - name: files
    mountPath: {{ .path }}
    readOnly: true
  {{- end }}
  {{- with .root.Values.volumeMounts }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
resources: {{- toYaml .pool.resources | nindent 2 }}
{{- end }}

{{- define "lettermill.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  seccompProfile:
    type: RuntimeDefault
{{- with .root.Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
volumes:
  - name: tmp
    emptyDir:
      sizeLimit: 256Mi
  {{- with get . "files" }}
  - name: files
    secret:
      secretName: {{ .secret }}
  {{- end }}
  {{- with .root.Values.volumes }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end }}

{{- /* A part: its deployment, its disruption budget and, where it grows by itself, its autoscaler. */}}
{{- define "lettermill.part" -}}
{{- $name := printf "%s-%s" .root.Release.Name .component }}
{{- $scaling := get .pool "autoscaling" | default dict }}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ $name }}
  labels: {{- include "lettermill.labels" . | nindent 4 }}
spec:
  {{- if not (get $scaling "enabled") }}
  replicas: {{ .pool.replicas }}
  {{- end }}
  selector:
    matchLabels: {{- include "lettermill.selector" . | nindent 6 }}
  strategy:
    rollingUpdate:
      maxUnavailable: 0
      maxSurge: 1
  template:
    metadata:
      labels: {{- include "lettermill.labels" . | nindent 8 }}
      annotations:
        # Settings are read at the start.
        checksum/settings: {{ include (print .root.Template.BasePath "/settings.yaml") .root | sha256sum }}
        {{- with .root.Values.podAnnotations }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
    spec:
      {{- include "lettermill.pod" . | nindent 6 }}
      # What is in flight is finished or handed back within 20 seconds, after those in which load balancers learn of it.
      terminationGracePeriodSeconds: {{ add .root.Values.drainSeconds 30 }}
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: kubernetes.io/hostname
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels: {{- include "lettermill.selector" . | nindent 14 }}
      containers:
        - name: {{ .component }}
          {{- include "lettermill.container" . | nindent 10 }}
          ports:
            - name: operators
              containerPort: 9464
            {{- with get . "port" }}
            - name: {{ .name }}
              containerPort: {{ .number }}
            {{- end }}
          startupProbe:
            httpGet: { path: /livez, port: operators }
            periodSeconds: 2
            failureThreshold: 60
          livenessProbe:
            httpGet: { path: /livez, port: operators }
            periodSeconds: 10
            timeoutSeconds: 5
            failureThreshold: 6
          readinessProbe:
            httpGet: { path: /readyz, port: operators }
            periodSeconds: 5
            timeoutSeconds: 5
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ $name }}
  labels: {{- include "lettermill.labels" . | nindent 4 }}
spec:
  maxUnavailable: 1
  selector:
    matchLabels: {{- include "lettermill.selector" . | nindent 6 }}
{{- if get $scaling "enabled" }}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: {{ $name }}
  labels: {{- include "lettermill.labels" . | nindent 4 }}
spec:
  scaleTargetRef:
    apiVersion: apps/v1
    kind: Deployment
    name: {{ $name }}
  minReplicas: {{ $scaling.min }}
  maxReplicas: {{ $scaling.max }}
  metrics:
    - type: Resource
      resource:
        name: cpu
        target:
          type: Utilization
          averageUtilization: {{ $scaling.cpu }}
    {{- if get $scaling "metric" }}
    - type: External
      external:
        metric:
          name: {{ $scaling.metric }}
        target:
          type: Value
          value: {{ $scaling.seconds | quote }}
    {{- end }}
  behavior:
    # A worker that stops hands back what it holds: not for every lull.
    scaleDown:
      stabilizationWindowSeconds: 600
      policies:
        - type: Pods
          value: 1
          periodSeconds: 120
    scaleUp:
      stabilizationWindowSeconds: 30
      policies:
        - type: Percent
          value: 100
          periodSeconds: 60
{{- end }}
{{- end }}
