// Which lab is up in a folder.
import {UserError} from './base/errors.ts'
import {exitCodes} from './base/exit-codes.ts'
import {isUp, type LabRecord, readLabRecord} from './lab/up/lab-record.ts'

/** @throws UserError when none is */
export async function labStatus(folder: string): Promise<LabRecord> {
  const record = await readLabRecord(folder)
  if (record !== undefined && (await isUp(record))) return record
  const what = record === undefined ? 'there is none' : `its process ${record.pid} has ended`
  throw new UserError(`Cannot show the lab in ${folder} as it must be up: ${what}`, {
    hint: record === undefined ? '`kubelimbo lab up` starts one' : '`kubelimbo lab down` clears it away, `kubelimbo lab up` starts another',
    exit: exitCodes.blind,
  })
}
