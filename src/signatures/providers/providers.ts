import type { Actor } from '../../events/record.ts'
import type { Context } from '../../platform/context.ts'
import type { Org } from '../../platform/db/org.ts'
import { Outbound } from '../../platform/outbound/outbound.ts'
import type { ProviderName } from '../schema.ts'
import { readGmailAccount } from '../settings.ts'
import { gmailProvider } from './gmail.ts'
import { GmailQuota } from './gmail-quota.ts'
import { manualProvider } from './manual.ts'
import type { Provider } from './provider.ts'
import { sandboxProvider } from './sandbox.ts'

/** Of all projects at Google: what they spent outlives a run of the job. */
const quota = new GmailQuota()

/** The ways to install signatures for one org and mode. */
export class Providers {
  readonly #context: Context
  readonly #org: Org
  readonly #mode: Actor['mode']
  #gmail: Promise<Provider> | null = null

  constructor(context: Context, org: Org, mode: Actor['mode']) {
    this.#context = context
    this.#org = org
    this.#mode = mode
  }

  /** The way to a provider; keys of test mode reach the sandbox alone. @param tries which one this is of its push */
  of(name: ProviderName, tries: number): Provider | Promise<Provider> {
    if (this.#mode === 'test' || name === 'sandbox') return sandboxProvider(this.#org, this.#mode, tries)
    if (name === 'manual') return manualProvider(this.#org)
    this.#gmail ??= this.#openGmail()
    return this.#gmail
  }

  async #openGmail(): Promise<Provider> {
    const { config, secrets, log } = this.#context
    const account = await this.#org.read((tx) => readGmailAccount(tx, secrets, this.#org.orgId))
    if (account === null) return { install: async () => ({ outcome: 'failed', message: noAccount }) }
    const outbound = new Outbound({ allowPrivate: config.outboundAllowPrivate, log })
    return gmailProvider(account, {
      outbound,
      quota,
      apiUrl: config.gmailApiUrl,
      tokenUrl: config.googleTokenUrl,
    })
  }
}

const noAccount =
  'Gmail needs a service account: PATCH /signatures/settings {"gmail": {"service_account": {"client_email": …, "private_key": …}}}'
