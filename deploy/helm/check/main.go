// Command chart-check lints the Helm chart in a folder, renders it with each of the values files given, and decodes what came out strictly
// into Kubernetes' and the Prometheus operator's own types: an unknown field, a wrong type or an unknown kind fails. Prints what was rendered. Needs no network and no cluster.
package main

import (
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"sort"
	"strings"

	monitoringv1 "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
	"helm.sh/helm/v3/pkg/lint"
	"helm.sh/helm/v3/pkg/lint/support"
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	"sigs.k8s.io/yaml"
)

var kinds = map[string]func() any{
	"apps/v1/Deployment":                      func() any { return &appsv1.Deployment{} },
	"autoscaling/v2/HorizontalPodAutoscaler":  func() any { return &autoscalingv2.HorizontalPodAutoscaler{} },
	"batch/v1/Job":                            func() any { return &batchv1.Job{} },
	"monitoring.coreos.com/v1/PrometheusRule": func() any { return &monitoringv1.PrometheusRule{} },
	"monitoring.coreos.com/v1/ServiceMonitor": func() any { return &monitoringv1.ServiceMonitor{} },
	"networking.k8s.io/v1/Ingress":            func() any { return &networkingv1.Ingress{} },
	"networking.k8s.io/v1/NetworkPolicy":      func() any { return &networkingv1.NetworkPolicy{} },
	"policy/v1/PodDisruptionBudget":           func() any { return &policyv1.PodDisruptionBudget{} },
	"v1/ConfigMap":                            func() any { return &corev1.ConfigMap{} },
	"v1/Service":                              func() any { return &corev1.Service{} },
}

func main() {
	if len(os.Args) < 3 {
		fail("usage: chart-check <chart> <values.yaml>...")
	}
	// The loader says of each symbolic link that it has followed it.
	log.SetOutput(io.Discard)
	for _, values := range os.Args[2:] {
		if err := check(os.Args[1], values, os.Stdout); err != nil {
			fail(fmt.Sprintf("%s: %v", filepath.Base(values), err))
		}
	}
}

func fail(text string) {
	fmt.Fprintln(os.Stderr, text)
	os.Exit(1)
}

func check(folder, valuesFile string, out io.Writer) error {
	values, err := chartutil.ReadValuesFile(valuesFile)
	if err != nil {
		return err
	}
	for _, message := range lint.All(folder, values, "lettermill", true).Messages {
		if message.Severity >= support.WarningSev {
			return fmt.Errorf("lint: %v", message)
		}
	}
	loaded, err := loader.Load(folder)
	if err != nil {
		return err
	}
	release := chartutil.ReleaseOptions{Name: "lettermill", Namespace: "mail", Revision: 1, IsInstall: true}
	given, err := chartutil.ToRenderValues(loaded, values, release, chartutil.DefaultCapabilities)
	if err != nil {
		return err
	}
	rendered, err := engine.Engine{Strict: true}.Render(loaded, given)
	if err != nil {
		return err
	}
	names := make([]string, 0, len(rendered))
	for name := range rendered {
		if strings.HasSuffix(name, ".yaml") {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	for _, name := range names {
		for _, document := range strings.Split(rendered[name], "\n---") {
			if err := decode(document); err != nil {
				return fmt.Errorf("%s: %w\n%s", name, err, document)
			}
			if strings.TrimSpace(document) != "" {
				fmt.Fprintf(out, "---\n# values: %s\n%s\n", filepath.Base(valuesFile), strings.TrimPrefix(strings.TrimSpace(document), "---\n"))
			}
		}
	}
	return nil
}

func decode(document string) error {
	var head struct{ APIVersion, Kind string }
	if err := yaml.Unmarshal([]byte(document), &head); err != nil {
		return err
	}
	if head.APIVersion == "" && head.Kind == "" {
		return nil
	}
	make, known := kinds[head.APIVersion+"/"+head.Kind]
	if !known {
		return fmt.Errorf("unknown kind %s/%s", head.APIVersion, head.Kind)
	}
	return yaml.UnmarshalStrict([]byte(document), make())
}
