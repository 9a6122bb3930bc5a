import { parentPort, workerData } from 'node:worker_threads'
import { RecordGroups } from './record-groups.ts'
import type { Asked, Given, Told } from './scan-worker.ts'

// The thread of one scan: takes records page by page, and says in the end which of them may be the same.
const groups = new RecordGroups(workerData as Given)
const tell = (told: Told) => parentPort!.postMessage(told)

parentPort!.on('message', async (asked: Asked) => {
  if ('page' in asked) tell({ read: groups.add(asked.page) })
  else tell(await groups.finish(asked.together, (share) => tell({ share })))
})
