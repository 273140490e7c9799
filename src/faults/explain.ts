// A rule in one sentence, made from what it matches and from its plan, so that it cannot say anything else.

import type {Match, Rule} from './rule.ts'
import {planWords, socketWords} from './words/plan-words.ts'
import {cutWords, fieldWords} from './words/value-words.ts'

/** 'the first StopPodSandbox of default/never-0: run it, whatever its deadline, and never answer' */
export function explain(rule: Rule): string {
  const {socket, plan, jitter = 0} = rule.fault
  const when = window(rule)
  if (socket !== undefined) return `the socket${when}: ${socketWords(socket)}`
  const per = rule.per === undefined ? '' : `, counted for each ${cutWords(rule.per)} by itself`
  return `${which(rule, callWords(rule.match))}${per}${when}: ${planWords(plan, jitter)}`
}

function callWords({to, service, method, pod, podUid, container, pvc, request = {}}: Match): string {
  const what = [
    cutWords(method ?? 'call'),
    service === undefined ? '' : ` to ${cutWords(service)}${to !== undefined && service.includes('*') ? ` of ${to}` : ''}`,
    // Of a method that there is, everybody knows.
    to === undefined || service !== undefined || (method !== undefined && !method.includes('*')) ? '' : ` to ${to}`,
    container === undefined ? '' : ` of container ${cutWords(container)}`,
    pod === undefined ? '' : ` of ${cutWords(pod)}`,
    podUid === undefined ? '' : ` of the pod with the uid ${cutWords(podUid)}`,
    pvc === undefined ? '' : ` for the claim ${cutWords(pvc)}`,
  ]
  const fields = fieldWords(request)
  return `${what.join('')}${fields === '' ? '' : ` with ${fields}`}`
}

function which({limit, skip = 0, every = 1, probability}: Rule, what: string): string {
  const after = skip === 0 ? '' : ` after the first${skip === 1 ? '' : ` ${skip}`}`
  const atMost = limit === undefined ? '' : `, ${limit} in all`
  const each = every === 1 ? 'every' : `every ${ordinal(every)}`
  if (probability !== undefined) return `${each} ${what}${after} with a probability of ${probability}${atMost}`
  if (every !== 1) return `${each} ${what}${after}${atMost}`
  if (limit === undefined) return `every ${what}${after}`
  const count = limit === 1 ? '' : ` ${limit}`
  return `the ${skip === 0 ? 'first' : 'next'}${count} ${what}${after}`
}

/** '2nd' */
function ordinal(n: number): string {
  const teen = Math.floor(n / 10) % 10 === 1
  const ending = teen ? undefined : {1: 'st', 2: 'nd', 3: 'rd'}[n % 10]
  return `${n}${ending ?? 'th'}`
}

function window({from = 0, until}: Rule): string {
  if (until === undefined) return from === 0 ? '' : `, from ${seconds(from)} on`
  return from === 0 ? `, for the first ${seconds(until)}` : `, from ${seconds(from)} to ${seconds(until)}`
}

const seconds = (ms: number): string => `${ms / 1000} s`
