import { testKey } from '../support/database.ts'
import { type Child, newDataDir, startServer } from '../support/processes.ts'

/** An address at which nothing listens. It is set as the address of every other service. */
export const nobody = 'http://127.0.0.1:9'

/** A server in a process with little memory, which a memory leak would end. */
export async function startProcess(
  databaseUrl: string,
  twilioApiUrl: string,
  more: Record<string, string> = {},
): Promise<{ child: Child; address: string }> {
  const child = startServer({
    DATABASE_URL: databaseUrl,
    ENCRYPTION_KEY: testKey.toString('base64'),
    DATA_DIR: newDataDir(),
    TRUST_PROXY: 'true',
    LOG_LEVEL: 'info',
    NODE_OPTIONS: '--max-old-space-size=400',
    TWILIO_API_URL: twilioApiUrl,
    HUBSPOT_API_URL: nobody,
    VAPI_API_URL: nobody,
    GMAIL_API_URL: nobody,
    GOOGLE_TOKEN_URL: nobody,
    SALESFORCE_LOGIN_URL: nobody,
    ...more,
  })
  const [, address] = await child.says(/is ready at (http\S+)/)
  return { child, address: address! }
}
