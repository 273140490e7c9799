// Who looks for control sockets and journals, or makes them.
import {tmpdir} from 'node:os'
import type {Owner} from '../proxy/control/control-socket.ts'
import {myUid} from './account.ts'

export const owner = (): Owner => ({uid: myUid(), env: process.env, temporary: tmpdir()})
