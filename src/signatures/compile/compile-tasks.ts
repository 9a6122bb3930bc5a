import { type Compiled, checkTemplate, compileSignature, type SignatureTemplate } from './compile.ts'
import { tooMuchMemory } from './faults.ts'
import { namesAsData } from './names-as-data.ts'
import type { SignatureData } from './signature-data.ts'
import { TemplateFault, type TemplatePart } from './template-fault.ts'

/** Compiles a template, with its own names as data if `data` is null; or only checks it. */
export type CompileTask = { template: SignatureTemplate } & (
  | { kind: 'compile'; data: SignatureData | null }
  | { kind: 'check' }
)

/** What a thread can send: an error would lose its class. */
type FaultMembers = Pick<TemplateFault, 'reason' | 'message' | 'line' | 'column'> & { part: TemplatePart }

/** `compiled` is null if the template was only checked. */
export type CompileOutcome = { compiled: Compiled | null } | { fault: FaultMembers } | { error: string }

/** Checks or compiles a template. A fault of the template is returned, not thrown. */
export function perform(task: CompileTask): CompileOutcome {
  try {
    if (task.kind === 'compile')
      return { compiled: compileSignature(task.template, task.data ?? namesAsData(task.template)) }
    checkTemplate(task.template)
    return { compiled: null }
  } catch (error) {
    return error instanceof TemplateFault ? sendable(error) : { error: String((error as Error).stack) }
  }
}

const sendable = ({ part, reason, message, line, column }: TemplateFault): CompileOutcome => ({
  fault: { part, reason, message, line, column },
})

/** The outcome of a task that ended its thread. */
export function endOf(reason: unknown): CompileOutcome {
  if ((reason as { code?: unknown }).code === 'ERR_WORKER_OUT_OF_MEMORY')
    return sendable(tooMuchMemory('html'))
  return { error: reason instanceof Error ? String(reason.stack) : String(reason) }
}

/** @throws TemplateFault; Error for a fault of the compiler */
export function resultOf(outcome: CompileOutcome): Compiled | null {
  if ('compiled' in outcome) return outcome.compiled
  if ('error' in outcome) throw new Error(`A signature could not be compiled: ${outcome.error}`)
  const { part, reason, message, line, column } = outcome.fault
  const at = line === undefined || column === undefined ? undefined : { line, column }
  throw new TemplateFault(part, reason, message, at)
}
