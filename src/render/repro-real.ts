// What of a node was real, in words, so that nobody takes the verdicts for those of simulated time.
import type {RealNode} from '../scenario/report.ts'

/** 'the runtime unix:///run/x.sock is real, time runs 10 times as fast, check did not look' */
export function realText({runtimeEndpoint, csiEndpoint, image, scale}: RealNode): string {
  const parts = [
    ...(runtimeEndpoint === undefined ? [] : [`the runtime ${runtimeEndpoint}`]),
    ...(csiEndpoint === undefined ? [] : [`the driver ${csiEndpoint}`]),
  ]
  const made = image === undefined ? [] : [`containers are of ${image}`]
  const time = scale === 1 ? 'in real time' : `time runs ${scale} times as fast`
  return [`${parts.join(' and ')} ${parts.length === 1 ? 'is' : 'are'} real`, ...made, time, 'check did not look'].join(', ')
}
