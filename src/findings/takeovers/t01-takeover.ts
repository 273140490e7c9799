// T01: a socket was taken over, to inject faults or to record, and whoever did it is gone; or is still at it, which explains what else is found.
import {formatInstant} from '../../base/instant.ts'
import {known} from '../../node/reading.ts'
import type {AtPath} from '../../node/takeover/at-path.ts'
import type {TakeoverJournal} from '../../node/takeover/takeover.ts'
import type {DetectContext, Detector} from '../detector.ts'
import type {Finding, Remedy, Severity} from '../finding.ts'
import {sinceAt} from '../since.ts'
import {kubeletsPath} from './kubelets-path.ts'
import {type TakeoverState, takeoverGraceMs, takeoverState} from './takeover-state.ts'

export const takeover: Detector = {
  code: 'T01',
  name: 'takeover',
  severities: [
    {
      severity: 'error',
      when: 'who took the socket over is gone, the node has started anew since, or its time is over for more than a minute',
    },
    {
      severity: 'warning',
      when: "its watchdog alone is gone, its journal cannot be read, or the socket is its server's and only the journal is left",
    },
    {severity: 'info', when: 'it is in force: somebody injects faults or records calls at this moment, or begins to'},
  ],
  graceMs: takeoverGraceMs,
  sampleTwice: true,
  needs: () => [['takeovers']],
  helpedBy: [],
  explain: {
    what: 'A live socket of a driver or of the container runtime was taken over by kubelimbo, to inject faults or to record calls. While that is in force, what it causes is found, too; when its process is gone, clients reach nobody until the socket is given back.',
    how:
      'kubelimbo inject and record, with --socket, write a journal before they touch anything, and a watchdog in a process of its own gives the socket back when they are killed. ' +
      'Both killed, or a node that loses its power with a journal on a disk, leave the journal behind.',
    lookAlikes: [
      'a takeover that ends at this moment: it is looked at again',
      'an injector at a path of its own (--listen): it takes nothing over and has no journal',
    ],
    links: [],
  },
  detect: (context) => (known(context.snapshot.readings.takeovers) ?? []).map((journal) => finding(context, journal)),
}

function finding({snapshot}: DetectContext, journal: TakeoverJournal): Finding {
  const {when} = snapshot
  const {path, socket, startedAt} = journal
  const state = takeoverState(journal, when)
  const isLeft = state === 'journal left' || state === 'server has it'
  return {
    code: 'T01',
    name: 'takeover',
    severity: severityOf(state),
    subject: {
      kind: 'Path', // What is left is the journal: the socket is well.
      path: socket === undefined || isLeft ? path : kubeletsPath(socket, snapshot),
    },
    message: sentence(journal, state),
    ...sinceAt(state === 'overdue' ? journal.expiresAt : state === 'in force' ? startedAt : undefined, when),
    next: nextOf(journal, state),
    evidence: [{source: 'takeovers', fact: fact(journal)}],
    cause: null,
    remedy: remedies(journal, state),
    links: [],
  }
}

function severityOf(state: TakeoverState): Severity {
  if (state === 'in force' || state === 'about to be') return 'info'
  return state === 'unreadable' || state === 'unwatched' || state === 'journal left' || state === 'server has it' ? 'warning' : 'error'
}

function sentence({path, socket = '', expiresAt = 0, pid, unreadable, command, holder}: TakeoverJournal, state: TakeoverState): string {
  const who = pid === undefined ? 'a process that is not known' : `process ${pid}`
  const until = formatInstant(expiresAt)
  switch (state) {
    case 'unreadable':
      return `The journal ${path} of a takeover cannot be read: ${unreadable}. A socket may be in the place of its server's, with nobody behind it.`
    case 'journal left':
      return `The journal ${path} of a takeover by ${who} is left. ${socket} is its server's own: it was given back, or never taken.`
    case 'server has it':
      return `The journal ${path} of a takeover by ${who} is left, and maybe a name beside ${socket}: another socket is there by now, as its server has restarted.`
    case 'about to be':
      return `${socket} is about to be taken over by ${who}, or is given back at this moment: its server's own socket is there.`
    case 'other boot':
      return `${socket} was taken over by ${who} before the node started anew, and was not given back.`
    case 'gone':
      return `${socket} was taken over by ${who}, which is gone, and was not given back: who connects to it may reach nobody.`
    case 'overdue':
      return `${socket} is still taken over by ${who}, although that should have ended at ${until}.`
    case 'unwatched':
      return `${socket} is taken over by ${who} until ${until}, and its watchdog is gone: nobody gives it back if that process is killed.`
    case 'in force':
      return `${socket} is taken over by ${who} until ${until}: ${doing(command)}${holder === undefined ? ' Whether that process lives cannot be seen from here.' : ''}`
    default:
      return state satisfies never
  }
}

function doing(command: TakeoverJournal['command']): string {
  switch (command) {
    case 'inject':
      return 'somebody injects faults there, and what else is found may come from that.'
    case 'record':
      return 'somebody records its calls there, which pass as they are.'
    default:
      return 'somebody injects faults or records calls there, and what else is found may come from that.'
  }
}

function nextOf({expiresAt = 0, holder}: TakeoverJournal, state: TakeoverState): string {
  if (state === 'journal left' || state === 'server has it')
    return 'No client is affected, but nobody can take the socket over before the journal is gone.'
  if (state === 'about to be' || state === 'in force')
    return `It gives the socket back by itself at ${formatInstant(expiresAt)}, or as soon as its process ends.`
  if (state === 'unwatched') return `Its process gives the socket back at ${formatInstant(expiresAt)}.`
  if (state === 'gone' && holder?.watchdog === 'there') return 'Its watchdog gives the socket back, and tries again while that fails.'
  return 'Nothing gives it back by itself; a server that starts anew makes a socket of its own there.'
}

function fact({path, expiresAt, holder, atPath, unreadable}: TakeoverJournal): string {
  if (unreadable !== undefined) return `${path}: ${unreadable}`
  const ends = expiresAt === undefined ? '' : `, until ${formatInstant(expiresAt)}`
  const boot = holder?.otherBoot ? ', of another boot' : ''
  const held =
    holder === undefined
      ? ', its processes were not looked for'
      : `, its proxy is ${holder.proxy}${holder.watchdog ? ` and its watchdog ${holder.watchdog}` : ''}`
  return `${path} is there${ends}${boot}${held}${atPath === undefined ? '' : `, ${pathWords[atPath]}`}`
}

const pathWords: Readonly<Record<AtPath, string>> = {
  original: "at the path is its server's own socket",
  ours: 'at the path is a socket of ours',
  other: 'at the path is another socket',
  nothing: 'at the path is nothing',
}

function remedies({pid}: TakeoverJournal, state: TakeoverState): Remedy[] {
  if (state === 'in force' || state === 'about to be') {
    return [
      {
        command: 'kubelimbo restore',
        why: 'ends it before its time: the socket is given back, and its process sees that and ends',
        loses: null,
      },
    ]
  }
  const restore: Remedy = {
    command: 'kubelimbo restore',
    why:
      state === 'unreadable'
        ? 'says what to look for by hand, and gives back all others'
        : state === 'journal left' || state === 'server has it'
          ? 'removes the journal and what else is left of the takeover, and leaves the socket alone'
          : 'gives the socket back by its journal, unless the server has restarted, and removes what is left of the takeover',
    loses: null,
  }
  if (state !== 'unwatched' || pid === undefined) return [restore]
  return [{command: `kill -INT ${pid}`, why: 'ends it as Ctrl-C does: the socket is given back', loses: null}, restore]
}
