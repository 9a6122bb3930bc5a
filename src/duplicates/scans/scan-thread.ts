import { parentPort, workerData } from 'node:worker_threads'
import { lowerPriority } from '../../platform/low-priority.ts'
import type { FinderReply, FinderRequest } from './group-finder.ts'
import { type GrouperOptions, RecordGrouper } from './record-grouper.ts'

lowerPriority()

const grouper = new RecordGrouper(workerData as GrouperOptions)
const reply = (message: FinderReply) => parentPort?.postMessage(message)

parentPort?.on('message', async (request: FinderRequest) => {
  if ('page' in request) reply({ read: grouper.add(request.page) })
  else reply(await grouper.finish(request.together, (share) => reply({ share })))
})
