// The worker's side: one request after another, each answered before the next is read. A look that hangs hangs this whole process.
import {firstLine} from '../../base/errors.ts'
import {titleOf} from './earlier-looks.ts'
import {lineSplitter} from './lines.ts'
import {look, lookAtMount} from './look.ts'
import type {Answer, Operations, Request} from './protocol.ts'
import {walk} from './walk.ts'

/** Ends when the input does: whoever started us is gone. */
export async function serveStats(input: AsyncIterable<string | Uint8Array>, write: (line: string) => void): Promise<void> {
  const say = (answer: Answer) => write(`${JSON.stringify(answer)}\n`)
  const take = lineSplitter((line) => answer(JSON.parse(line) as Request, say))
  const decoder = new TextDecoder()
  say({hello: true})
  for await (const chunk of input) take(typeof chunk === 'string' ? chunk : decoder.decode(chunk, {stream: true}))
}

function answer(request: Request, say: (answer: Answer) => void): void {
  const {id} = request
  try {
    perform(request, (part) => say({id, part}))
    say({id, end: true})
  } catch (error) {
    say({id, failed: firstLine(error)})
  }
}

function perform(request: Request, part: (part: unknown) => void): void {
  if (request.op === 'walk') walk(request, part)
  else if (request.op === 'stat') part(look(request.path))
  else lookAtAll(request, part)
}

function lookAtAll({paths, device}: Operations['mount']['request'], part: (part: unknown) => void): void {
  // Should we hang, the next run is to know where.
  if (device !== undefined) process.title = titleOf(device)
  for (const path of paths) part(lookAtMount(path, device !== undefined))
}
