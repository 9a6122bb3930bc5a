import type { ProviderName } from '../schema.ts'
import { openGmail } from './gmail.ts'
import { openManual } from './manual.ts'
import type { OpenProvider, Provider, SignatureProviderDeps } from './provider.ts'
import { openSandbox } from './sandbox.ts'

const openByName: Record<ProviderName, OpenProvider> = {
  sandbox: openSandbox,
  gmail: openGmail,
  manual: openManual,
}

/** The providers of one org and mode, each opened at its first use. */
export class SignatureProviders {
  readonly #deps: SignatureProviderDeps
  readonly #opened = new Map<ProviderName, Promise<Provider>>()

  constructor(deps: SignatureProviderDeps) {
    this.#deps = deps
  }

  /** Returns the provider with this name. In test mode, it is always the sandbox. */
  of(name: ProviderName): Promise<Provider> {
    const used = this.#deps.org.actor.mode === 'test' ? 'sandbox' : name
    const provider = this.#opened.get(used) ?? openByName[used](this.#deps)
    this.#opened.set(used, provider)
    return provider
  }
}
