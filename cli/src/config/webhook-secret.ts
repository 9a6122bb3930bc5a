import type { Context } from '../context.ts'
import { UsageError } from '../exit.ts'
import { type ConfigFile, changeConfig, type Profile, readConfig } from './config-file.ts'

/**
 * The secret that signs the webhooks of `listen` and `trigger`: CROSSWALK_WEBHOOK_SECRET, or the secret of the profile.
 * The first use creates a secret, which then stays the same.
 */
export async function webhookSecret(context: Context): Promise<string> {
  if (knownSecret(context) === undefined)
    await changeConfig(context.io, (config) => {
      ownerIn(config, context).webhook_secret ??= newSecret()
      return config
    })
  return existingSecret(context)
}

/** Returns the webhook secret of the profile. @throws UsageError if there is none yet */
export function existingSecret(context: Context): string {
  const known = knownSecret(context)
  if (known !== undefined) return known
  throw new UsageError(
    'There is no secret. Put the secret of the webhook endpoint into CROSSWALK_WEBHOOK_SECRET, or create one for this machine: crosswalk listen --print-secret',
  )
}

function knownSecret(context: Context): string | undefined {
  const given = context.io.env.CROSSWALK_WEBHOOK_SECRET?.trim()
  return given || ownerIn(readConfig(context.io), context).webhook_secret
}

/** Returns the part of the file that has the secret: the profile, or the file itself without a profile. */
function ownerIn(config: ConfigFile, { access }: Context): Pick<Profile, 'webhook_secret'> {
  return (access.profile === null ? undefined : config.profiles[access.profile]) ?? config
}

const newSecret = (): string =>
  `whsec_${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64')}`
