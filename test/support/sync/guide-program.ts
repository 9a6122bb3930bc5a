import { readFileSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { expect } from 'vitest'
import { projectRoot } from '../../../src/platform/config.ts'
import type { TestOrg } from '../app.ts'
import { pageNamed } from '../markdown.ts'
import { Child, fileNamed } from '../processes.ts'

type Copy = Record<string, { version: number }>

let programs = 0

/** The program of docs/guides/sync.md as a process, which keeps a copy of an organization's contacts. */
export class GuideProgram {
  readonly #file: string
  readonly #child: Child

  /** @param every the seconds between two rounds, in place of the guide's */
  constructor(org: TestOrg, every: number) {
    const [program] = pageNamed('docs/guides/sync.md').blocks.filter(({ language }) => language === 'js')
    const text = program?.text.replace('const EVERY = 5 ', `const EVERY = ${every} `)
    expect(text).toContain(`const EVERY = ${every} `)
    const script = fileNamed(`sync-${++programs}.mjs`)
    writeFileSync(script, text ?? '')
    this.#file = `${script}.json`
    this.#child = new Child(relative(projectRoot, script), [], {
      API: `${org.address}/api/v1`,
      KEY: org.token ?? '',
      FILE: this.#file,
    })
  }

  /** How many rounds the program has completed, and how many requests it sent. */
  get progress(): { rounds: number; requests: number } {
    const last = [...this.#child.stdout.matchAll(/^round (\d+): \d+ contacts, (\d+) requests$/gm)].at(-1)
    return { rounds: Number(last?.[1] ?? 0), requests: Number(last?.[2] ?? 0) }
  }

  /** Waits until the current round and `count` more have ended. */
  async completes(count: number): Promise<void> {
    await this.#child.says(new RegExp(`^round ${this.progress.rounds + 1 + count}: `, 'm'))
  }

  /** The ids and versions of the copy. */
  copied(): Map<string, number> {
    const { copy } = JSON.parse(readFileSync(this.#file, 'utf8')) as { copy: Copy }
    return new Map(Object.entries(copy).map(([id, { version }]) => [id, version]))
  }

  async stop(): Promise<void> {
    this.#child.kill('SIGTERM')
    await this.#child.ended
  }
}
