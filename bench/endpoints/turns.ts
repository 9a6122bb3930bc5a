import { drive, type Measured, median } from '../support/client.ts'
import type { Process } from '../support/installation.ts'
import { type Cpu, measureCpu } from '../support/usage.ts'
import type { Capture } from './capture.ts'
import type { Case } from './cases.ts'
import { freshIds, namesIn, type Program } from './program.ts'
import { addToPool, type CaseRequest, requestOf } from './requests.ts'
import type { Subject } from './subject.ts'

/** The medians of several turns. CPU times are in microseconds per answer. */
export type SideMedians = Pick<Measured, 'rate' | 'p50' | 'p99' | 'bytes' | 'others' | 'answers'> & {
  node: number
  postgres: number
}

export type Compared = { size: number; ours: SideMedians; bare: SideMedians | null; ratio: number }

type Options = {
  server: Process
  folder: string
  capture: Capture
  connections: number
}

type Turn = Measured & Cpu

/** How long a hot case runs before it is measured, in seconds. */
const hotWarmUp = 4

export class Turns {
  readonly #options: Options

  constructor(options: Options) {
    this.#options = options
  }

  /** Measures a case in each org, alternating between Crosswalk and the bare handler. */
  async measure(
    each: Case,
    subjects: readonly Subject[],
    { rounds, seconds }: { rounds: number; seconds: number },
  ): Promise<Compared[]> {
    const sides = []
    for (const subject of subjects) {
      await each.prepare?.(subject)
      const program = await this.#program(each, subject)
      sides.push({ subject, program, ours: [] as Turn[], bare: [] as Turn[] })
    }
    const { server } = this.#options
    // Warm up: statements are prepared, both clients connect, and V8 compiles the code of hot cases.
    const warmUp = each.hot ? hotWarmUp : seconds / 3
    for (const { subject, program } of sides) {
      await this.#turn(each, subject, server, 'crosswalk_app', warmUp)
      if (program) await this.#turn(each, subject, subject.bare, 'owner', warmUp)
    }
    for (let round = 0; round < rounds; round++)
      for (const { subject, program, ours, bare } of sides) {
        ours.push(await this.#turn(each, subject, server, 'crosswalk_app', seconds))
        if (program) bare.push(await this.#turn(each, subject, subject.bare, 'owner', seconds))
      }
    return sides.map(({ subject, ours, bare }) => ({
      size: subject.size,
      ours: sideOf(ours),
      bare: bare.length > 0 && bare.every(({ others }) => others === 0) ? sideOf(bare) : null,
      ratio: median(
        ours.map(({ rate }, index) => rate / (bare[index]?.rate ?? Number.NaN)).filter((ratio) => ratio > 0),
      ),
    }))
  }

  /** The statements of the bare handler for a case: those of one captured request, or those in the case. */
  async #program(each: Case, { bare, pools, orgId, ...keys }: Subject): Promise<Program | null> {
    if (each.notBare) return null
    const asked = requestOf(each, pools, keys)
    if (!asked) return null
    const sinceMs = Date.now()
    const statements = each.bare
      ? [{ text: each.bare, values: [orgId] }]
      : await this.#options.capture.of(async (address) => {
          const answer = await fetch(`${address}${asked.path}`, {
            ...{ method: asked.method, headers: asked.headers },
            ...(asked.body ? { body: asked.body } : {}),
          })
          addToPool(each, asked, pools, await answer.text())
        })
    const program = {
      statements,
      names: namesIn(asked.path, asked.body),
      fresh: freshIds(statements, sinceMs),
    }
    await bare.tell(program)
    return program
  }

  async #turn(
    each: Case,
    { pools, ...keys }: Subject,
    { address, pid }: Process,
    role: 'crosswalk_app' | 'owner',
    seconds: number,
  ): Promise<Turn> {
    const { connections, folder } = this.#options
    const asked: CaseRequest[] = []
    let left = each.most ?? Number.POSITIVE_INFINITY
    const cpu = measureCpu(pid, folder, role)
    const measured = await drive(
      address,
      connections,
      { seconds },
      {
        next: () => {
          const request = left-- > 0 ? requestOf(each, pools, keys) : null
          if (!request) return null
          if (each.gives) asked.push(request)
          const head = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}\r\n`)
          return `${request.method} ${request.path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${head.join('')}content-length: ${Buffer.byteLength(request.body)}\r\n\r\n${request.body}`
        },
        isExpected: (head) => head.startsWith('HTTP/1.1 2'),
        ...(each.makes ? { onAnswer: (answer: string) => addToPool(each, null, pools, answer) } : {}),
      },
    )
    for (const request of asked) addToPool(each, request, pools, '')
    return { ...measured, ...cpu(measured.answers) }
  }
}

function sideOf(all: readonly Turn[]): SideMedians {
  // Leave out turns that had no objects for their requests.
  const turns = all.filter(({ answers }) => answers > 0)
  const at = (name: keyof Turn) => median(turns.map((turn) => turn[name]))
  const sum = (name: keyof Turn) => turns.reduce((total, turn) => total + turn[name], 0)
  return {
    ...{ rate: at('rate'), p50: at('p50'), p99: at('p99'), bytes: at('bytes') },
    ...{ node: at('node'), postgres: at('postgres'), others: sum('others'), answers: sum('answers') },
  }
}
