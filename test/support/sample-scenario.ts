// A scenario as somebody writes it, to make mistakes in: the shipped ones change.
export const sampleScenario = `apiVersion: kubelimbo/v1
kind: Scenario
name: failed-becomes-succeeded
label: A4
title: A container that failed turns into one that succeeded
why: >-
  A pod with restartPolicy Never whose container has exited with 1 is deleted. When the kubelet ends the pod it writes exit code 0 over every container of it;
  a Job controller that watches counts a success. A finalizer holds the object, so that a watcher sees what is written after the delete.
issues: [kubernetes/kubernetes#88440, kubernetes/kubernetes#58711, kubernetes/kubernetes#90636]
switches: [ends-keep-exits]
pods:
  - apiVersion: v1
    kind: Pod
    metadata: {name: job-0, finalizers: [example.com/hold]}
    spec:
      restartPolicy: Never
      terminationGracePeriodSeconds: 10
      containers:
        - {name: main, image: "kubelimbo/lab:1", command: [sh, -c, exit 1]}
steps:
  - {at: 0s, create: job-0}
  - {at: 7s, delete: job-0}
  - {at: 8s, removeContainer: {pod: job-0, container: main}}
  - {at: 52s, removeFinalizers: job-0}
until: 60s
given:
  - what: the container exited with 1
    eventually: {runtime: exited, pod: job-0, container: main, exitCode: 1}
  - what: a watcher saw it fail before the delete
    eventually: {watch: MODIFIED, pod: job-0, phase: Failed, containers: {main: {state: terminated, exitCode: 1, reason: Error}}}
    within: 7s
expect:
  1.17.3:
    verdict: reproduced
    that:
      - what: exit code 1 became 0, without a reason, an id or a time
        ordered:
          - {watch: MODIFIED, pod: job-0, containers: {main: {state: terminated, exitCode: 1}}}
          - {watch: MODIFIED, pod: job-0, containers: {main: {state: terminated, exitCode: 0, reason: absent, containerID: absent, finishedAt: absent}}}
  default:
    verdict: fixed
    that:
      - what: exit code 1 stays
        never: {watch: any, pod: job-0, containers: {main: {state: terminated, exitCode: 0}}}
      - last: {pod: job-0, phase: Failed, containers: {main: {state: terminated, exitCode: 1, reason: Error, containerID: present}}}
`
