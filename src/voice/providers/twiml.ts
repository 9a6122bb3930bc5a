import { escapeHtml } from '../../platform/http/escape-html.ts'
import { type CallOrder, filledGreetingOf, openingWordsOf } from './provider.ts'

/** The maximum length of a call's TwiML (Twiml of the Call resource). */
export const twimlMax = 4_000

/**
 * The TwiML of an answered call: the disclosure, then the greeting with its variables (`{{name}}`); null without a
 * greeting. A comment contains Crosswalk's id of the call, to search for.
 */
export function twimlOf(order: CallOrder): string | null {
  const { callId, disclosure, voice } = order
  const words = filledGreetingOf(order)
  if (!words?.trim()) return null
  const spoken = openingWordsOf({ disclosure, greeting: words }) ?? words
  const attributes = [
    ['voice', voice?.provider_voice_id],
    ['language', voice?.language],
  ].map(([name, value]) => (value ? ` ${name}="${escapeXml(value)}"` : ''))
  return `<Response><!-- call_id=${callId} --><Say${attributes.join('')}>${escapeXml(spoken)}</Say></Response>`
}

/** Writes a text for XML 1.0, which does not allow control characters. */
const escapeXml = (text: string): string =>
  escapeHtml(text.replaceAll(/[\p{Cc}\uFFFE\uFFFF]/gu, ' ').toWellFormed())
