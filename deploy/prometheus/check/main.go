// Command rules-check runs the unit tests of alerting rules that files in promtool's format hold, with Prometheus' own engine and rules. It is the part of
// promtool that does so, with `input_series` and `alert_rule_test`: the whole takes minutes to build. Needs no network and no server.
package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/common/promslog"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql/promqltest"
	"github.com/prometheus/prometheus/rules"
	"sigs.k8s.io/yaml"
)

type suite struct {
	RuleFiles          []string `json:"rule_files"`
	EvaluationInterval string   `json:"evaluation_interval"`
	Tests              []test   `json:"tests"`
}

type test struct {
	Name        string `json:"name"`
	Interval    string `json:"interval"`
	InputSeries []struct {
		Series string `json:"series"`
		Values string `json:"values"`
	} `json:"input_series"`
	AlertRuleTest []expectation `json:"alert_rule_test"`
}

type expectation struct {
	EvalTime  string `json:"eval_time"`
	Alertname string `json:"alertname"`
	ExpAlerts []struct {
		Labels      map[string]string `json:"exp_labels"`
		Annotations map[string]string `json:"exp_annotations"`
	} `json:"exp_alerts"`
}

func main() {
	failed := false
	for _, file := range os.Args[1:] {
		failures, err := runFile(file)
		if err != nil {
			failures = append(failures, err.Error())
		}
		for _, failure := range failures {
			fmt.Fprintf(os.Stderr, "%s: %s\n", filepath.Base(file), failure)
			failed = true
		}
	}
	if failed {
		os.Exit(1)
	}
}

func runFile(file string) ([]string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var given suite
	if err := yaml.UnmarshalStrict(text, &given); err != nil {
		return nil, err
	}
	var ruleFiles []string
	for _, name := range given.RuleFiles {
		if !filepath.IsAbs(name) {
			name = filepath.Join(filepath.Dir(file), name)
		}
		ruleFiles = append(ruleFiles, name)
	}
	var failures []string
	for _, each := range given.Tests {
		more, err := run(each, ruleFiles, duration(given.EvaluationInterval))
		if err != nil {
			return failures, fmt.Errorf("%s: %w", each.Name, err)
		}
		failures = append(failures, more...)
	}
	return failures, nil
}

func run(given test, ruleFiles []string, every time.Duration) ([]string, error) {
	load := "load " + given.Interval + "\n"
	for _, series := range given.InputSeries {
		load += "  " + series.Series + " " + series.Values + "\n"
	}
	loader, err := promqltest.NewLazyLoader(load, promqltest.LazyLoaderOpts{EnableAtModifier: true, EnableNegativeOffset: true})
	if err != nil {
		return nil, err
	}
	defer loader.Close()
	loader.SubqueryInterval = every
	manager := rules.NewManager(&rules.ManagerOptions{
		QueryFunc:  rules.EngineQueryFunc(loader.QueryEngine(), loader.Storage()),
		Appendable: loader.Storage(),
		Context:    context.Background(),
		NotifyFunc: func(context.Context, string, ...*rules.Alert) {},
		Logger:     promslog.NewNopLogger(),
	})
	byName, errs := manager.LoadGroups(every, labels.EmptyLabels(), "", nil, false, ruleFiles...)
	if len(errs) > 0 {
		return nil, errs[0]
	}
	var last time.Duration
	asked := map[string]bool{}
	for _, wanted := range given.AlertRuleTest {
		last = max(last, duration(wanted.EvalTime))
		asked[wanted.Alertname] = true
	}
	// Alerts do not depend on each other: groups that are not asked about need no time.
	maps.DeleteFunc(byName, func(_ string, group *rules.Group) bool {
		return !slices.ContainsFunc(group.Rules(), func(rule rules.Rule) bool { return asked[rule.Name()] })
	})
	var failures []string
	var failure error
	for at := time.Duration(0); at <= last && failure == nil; at += every {
		now := time.Unix(0, 0).UTC().Add(at)
		loader.WithSamplesTill(now, func(err error) {
			failure = err
			for _, group := range byName {
				group.Eval(context.Background(), now)
				for _, rule := range group.Rules() {
					if err := rule.LastError(); err != nil && failure == nil {
						failure = fmt.Errorf("%s: %w", rule.Name(), err)
					}
				}
			}
		})
		for _, wanted := range given.AlertRuleTest {
			if duration(wanted.EvalTime) != at {
				continue
			}
			if exp, got := expected(wanted), firing(byName, wanted.Alertname); exp != got {
				failures = append(failures, fmt.Sprintf("%s\n  %s after %s, expected:\n%s  got:\n%s", given.Name, wanted.Alertname, wanted.EvalTime, exp, got))
			}
		}
	}
	return failures, failure
}

func expected(wanted expectation) string {
	var lines []string
	for _, alert := range wanted.ExpAlerts {
		of := map[string]string{"alertname": wanted.Alertname}
		for name, value := range alert.Labels {
			of[name] = value
		}
		lines = append(lines, line(of, alert.Annotations))
	}
	return sorted(lines)
}

func firing(groups map[string]*rules.Group, name string) string {
	var lines []string
	for _, group := range groups {
		for _, rule := range group.AlertingRules() {
			if rule.Name() != name {
				continue
			}
			for _, alert := range rule.ActiveAlerts() {
				if alert.State == rules.StateFiring {
					lines = append(lines, line(alert.Labels.Map(), alert.Annotations.Map()))
				}
			}
		}
	}
	return sorted(lines)
}

func line(of, annotations map[string]string) string {
	return fmt.Sprintf("    %s %s\n", labels.FromMap(of), labels.FromMap(annotations))
}

func sorted(lines []string) string {
	sort.Strings(lines)
	return strings.Join(lines, "")
}

func duration(text string) time.Duration {
	parsed, err := model.ParseDuration(text)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return time.Duration(parsed)
}
