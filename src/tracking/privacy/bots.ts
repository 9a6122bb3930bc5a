import { isBot } from 'isbot'
import { RecencyMap } from '../../platform/rate-limit/recency-map.ts'

const agentMax = 512
const knownMax = 2_000
// isbot needs 4 µs for a user agent, and a few hundred user agents make up most of the traffic.
const known = new RecencyMap<{ isBot: boolean }>()

/**
 * Whether a program and not a person made an event: a crawler, or a browser that a program controls.
 * @param header the `User-Agent` of a browser's request; null: the request came from a server
 */
export function isAutomated(
  { webdriver, userAgent }: Readonly<Record<string, unknown>>,
  header: string | null,
): boolean {
  if (webdriver === true) return true
  if (typeof userAgent === 'string' && isBotAgent(userAgent)) return true
  // Apps and servers send the name of an HTTP library. All browsers, and crawlers that run scripts, are called Mozilla.
  return header !== null && header !== userAgent && header.startsWith('Mozilla/') && isBotAgent(header)
}

function isBotAgent(agent: string): boolean {
  // Long texts are rare. Storing them would use memory for strangers.
  if (agent.length > agentMax) return isBot(agent.slice(0, agentMax))
  const found = known.use(agent)
  if (found) return found.isBot
  if (known.size >= knownMax) known.dropOldest()
  const judged = { isBot: isBot(agent) }
  known.add(agent, judged)
  return judged.isBot
}
