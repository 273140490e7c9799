// The text format of Prometheus, for node_exporter's textfile collector: no moments at the samples, no ids in the labels.
import {readInstant} from '../base/instant.ts'
import {detectors} from '../findings/detectors.ts'
import {type Finding, severities} from '../findings/finding.ts'
import type {CheckReport} from '../findings/report.ts'
import type {Verdict} from '../findings/verdict.ts'

type Labels = Readonly<Record<string, string>>

interface Metric {
  readonly name: string
  readonly help: string
  readonly samples: readonly {readonly labels?: Labels; readonly value: number}[]
}

export function prometheusText(report: CheckReport, {exit}: Verdict): string {
  const {tool, when, baseline} = report.metadata
  const one = (name: string, help: string, value: number): Metric => ({name, help, samples: [{value}]})
  const metrics: readonly Metric[] = [
    {
      name: 'kubelimbo_build_info',
      help: 'Always 1; the version of kubelimbo.',
      samples: [{labels: {version: tool.replace(/^kubelimbo /, '')}, value: 1}],
    },
    one('kubelimbo_check_timestamp_seconds', 'The moment that the check tells of.', (readInstant(when) ?? 0) / 1000),
    one('kubelimbo_check_exit_code', 'How the check ended: 0 nothing that fails, 1 findings that fail, 3 could not look.', exit),
    one('kubelimbo_check_partial', '1 when something was not seen: what is not found may still be there.', report.partial ? 1 : 0),
    one('kubelimbo_sources_unseen', 'Sources of evidence that were not seen.', report.unseen.length),
    {
      name: 'kubelimbo_findings',
      help: `Findings${baseline === undefined ? '' : ' that the baseline does not have'}, for each code that was looked for.`,
      samples: countsOf(report, ({known}) => !known),
    },
    ...(baseline === undefined
      ? []
      : [
          {
            name: 'kubelimbo_findings_known',
            help: 'Findings that the baseline has, too.',
            samples: countsOf(report, ({known}) => known === true),
          },
        ]),
  ]
  return metrics
    .filter(({samples}) => samples.length > 0)
    .map(metricText)
    .join('')
}

/** Zeroes, too: a series that is not there says that nobody looked. */
function countsOf({looked, findings}: CheckReport, counts: (finding: Finding) => boolean): Metric['samples'] {
  return detectors
    .filter(({code}) => looked.includes(code))
    .flatMap(({code, name}) =>
      severities.map((severity) => ({
        labels: {code, name, severity},
        value: findings.filter((each) => each.code === code && each.severity === severity && counts(each)).length,
      })),
    )
}

function metricText({name, help, samples}: Metric): string {
  const lines = samples.map(({labels, value}) => `${name}${labelsText(labels)} ${value}\n`)
  return `# HELP ${name} ${escaped(help)}\n# TYPE ${name} gauge\n${lines.join('')}`
}

function labelsText(labels: Labels = {}): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value).replaceAll('"', '\\"')}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
}
