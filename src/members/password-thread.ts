import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { deriveNow, type Task } from './derive-password.ts'

const lowPriority = 10

// On Linux, this changes the priority of this thread alone; elsewhere, it would change that of the whole process.
if (process.platform === 'linux') setPriority(lowPriority)

parentPort?.on('message', (task: Task) => parentPort?.postMessage(deriveNow(task)))
