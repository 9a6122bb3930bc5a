import type { CreatedWebhookEndpoint } from '../../../../../sdk/src/generated/types.ts'
import { Code } from '../../../parts/code.tsx'
import { OnceDialog } from '../../../parts/once-dialog.tsx'
import { Secret } from '../../../parts/secret.tsx'
import { fullTime } from '../../../parts/times.ts'

/** Shows the secret of an endpoint, and how a receiver uses it. */
export const EndpointSecretDialog = ({
  created: { url, secret, old_secret_expires_at },
  onClose,
}: {
  created: CreatedWebhookEndpoint
  onClose: () => void
}) => (
  <OnceDialog
    title="Copy the secret now"
    reminder="Copy the secret first, then tick “I have stored it”."
    onClose={onClose}
  >
    <p className="two">Nobody can see it again. If it is lost, rotate it.</p>
    <Secret label={`Signs the requests to ${url}`} value={secret} />
    {old_secret_expires_at !== null && (
      <p className="two">The old secret signs too until {fullTime(old_secret_expires_at)}.</p>
    )}
    <Code label="How a receiver checks a request">
      {`import { verifyWebhook } from '@crosswalk/sdk/webhooks'\n\nconst event = await verifyWebhook(body, headers, process.env.CROSSWALK_WEBHOOK_SECRET)`}
    </Code>
  </OnceDialog>
)
