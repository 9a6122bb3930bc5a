import type { Context } from '../context.ts'
import { readConfig, writeConfig } from './config-file.ts'

/**
 * The secret that signs the webhooks of `listen` and `trigger`: CROSSWALK_WEBHOOK_SECRET, or that of the profile. The
 * first use creates a secret, which then stays the same.
 */
export function webhookSecret({ io, access }: Context): string {
  if (io.env.CROSSWALK_WEBHOOK_SECRET) return io.env.CROSSWALK_WEBHOOK_SECRET.trim()
  const config = readConfig(io)
  const profile = access.profile === null ? undefined : config.profiles[access.profile]
  const known = profile ? profile.webhook_secret : config.webhook_secret
  if (known !== undefined) return known
  const made = `whsec_${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64')}`
  if (profile) profile.webhook_secret = made
  else config.webhook_secret = made
  writeConfig(io, config)
  return made
}
