// What a recording tells while it is made: on stderr, as its report is the result.
import type {UnderWay} from '../proxy/call/under-way.ts'
import type {TakenSocket} from '../proxy/control/inject-hears.ts'
import type {TakeoverEnd} from '../proxy/takeover/take-over.ts'
import {timeOfDay} from './call-line.ts'
import {effectLines, leavingLine} from './inject-taken.ts'

interface Stood {
  readonly listen: string
  readonly upstream: string
  readonly taken?: TakenSocket
}

interface Told {
  tell(text: string): void
  warn(text: string): void
}

/** @param forTime as the user says it */
export function recordLines(forTime: string, {tell, warn}: Told) {
  return {
    started: ({file, stands}: {readonly file: string; readonly stands: readonly Stood[]}) => {
      for (const {listen, taken} of stands) if (taken !== undefined) for (const line of takenLines(listen, taken)) tell(line)
      const places = stands.map(({listen, upstream, taken}) => (taken === undefined ? `${listen} before ${upstream}` : listen))
      tell(`calls by ${places.join(', ')} go into ${file}, for ${forTime} or until Ctrl-C`)
    },
    trouble: warn,
    kubelet: (at: number) => tell(`${timeOfDay(at)} the kubelet has connected`),
    leaving: (listen: string, calls: Readonly<UnderWay>, forMs: number) => tell(leavingLine(listen, calls, forMs)),
    lost: (listen: string, why: TakeoverEnd) => warn(`No more calls of ${listen} are recorded: ${lostWords[why]}`),
  }
}

const takenLines = (listen: string, taken: TakenSocket): readonly string[] => [
  `${listen} is taken over. It is given back at Ctrl-C, by itself when the time is over or this process is gone, and by \`kubelimbo restore\`.`,
  ...effectLines(taken),
]

const lostWords: Readonly<Record<TakeoverEnd, string>> = {
  'given back': 'somebody else gave it back',
  'socket removed': "somebody has removed it, so it is its server's again",
  'server restarted': 'its server has restarted, and has it again',
  'server gone': 'its server is gone',
  'journal lost': "its journal was removed, so it is its server's again",
  'watchdog lost': "there was nobody to watch over it, so it is its server's again",
}
