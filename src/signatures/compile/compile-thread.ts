import { parentPort } from 'node:worker_threads'
import { lowerPriority } from '../../platform/low-priority.ts'
import { type CompileOutcome, type CompileTask, perform } from './compile-tasks.ts'

export type SentTask = { number: number; task: CompileTask }
export type SentOutcome = { number: number; outcome: CompileOutcome }

lowerPriority()

parentPort?.on('message', ({ number, task }: SentTask) => {
  parentPort?.postMessage({ number, outcome: perform(task) } satisfies SentOutcome)
})
