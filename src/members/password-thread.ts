import { parentPort } from 'node:worker_threads'
import { lowerPriority } from '../platform/low-priority.ts'
import { deriveNow, type Task } from './derive-password.ts'

lowerPriority()

parentPort?.on('message', (task: Task) => parentPort?.postMessage(deriveNow(task)))
