import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Task } from './derive-password.ts'

const module = new URL('./password-thread.ts', import.meta.url)

/**
 * Computes hashes in threads of low priority. Strangers can keep two cores busy with wrong passwords: on a machine with two
 * cores, all requests would wait for them otherwise.
 */
export class PasswordThreads {
  readonly #idle: Worker[] = []

  /** The hash of a password. Each hash that is computed at the same time has a thread of its own. */
  async derive(task: Task): Promise<Buffer> {
    const thread = this.#idle.pop() ?? this.#start()
    thread.ref()
    thread.postMessage(task)
    // Rejects if the thread fails. The next check then starts another one.
    const [hash] = (await once(thread, 'message')) as [Uint8Array]
    // An idle thread must not keep the process alive.
    thread.unref()
    this.#idle.push(thread)
    return Buffer.from(hash)
  }

  #start(): Worker {
    const thread = new Worker(module, { resourceLimits: { maxOldGenerationSizeMb: 16 } })
    // Without a listener, a thread that fails while it is idle would end the process.
    thread.on('error', () => {})
    thread.once('exit', () => {
      const at = this.#idle.indexOf(thread)
      if (at >= 0) this.#idle.splice(at, 1)
    })
    return thread
  }
}
