import { parsedText, refuse } from '../platform/http/fields.ts'

// Article 50 of the EU AI Act (in force since 2 August 2026) requires a call to begin with a sentence that says that
// an AI is calling. The FCC treats AI voices as artificial voices (FCC 24-17).

/** The default sentence, by the first part of a BCP 47 language tag. */
const sentences: Readonly<Record<string, string>> = {
  ar: 'هذه مكالمة من مساعد يعمل بالذكاء الاصطناعي.',
  bg: 'Това обаждане е от асистент с изкуствен интелект.',
  cs: 'Toto je hovor od asistenta s umělou inteligencí.',
  da: 'Dette er et opkald fra en AI-assistent.',
  de: 'Dies ist ein Anruf von einem KI-Assistenten.',
  el: 'Αυτή είναι μια κλήση από βοηθό τεχνητής νοημοσύνης.',
  en: 'This is a call from an AI assistant.',
  es: 'Esta es una llamada de un asistente de inteligencia artificial.',
  et: 'See on tehisintellekti assistendi kõne.',
  fi: 'Tämä on tekoälyavustajan puhelu.',
  fr: 'Ceci est un appel d’un assistant d’intelligence artificielle.',
  ga: 'Is glao é seo ó chúntóir intleachta saorga.',
  hi: 'यह एक एआई सहायक की कॉल है।',
  hr: 'Ovo je poziv asistenta s umjetnom inteligencijom.',
  hu: 'Ezt a hívást egy mesterségesintelligencia-asszisztens kezdeményezte.',
  it: 'Questa è una chiamata di un assistente di intelligenza artificiale.',
  ja: 'これはAIアシスタントからのお電話です。',
  ko: 'AI 비서가 거는 전화입니다.',
  lt: 'Tai dirbtinio intelekto asistento skambutis.',
  lv: 'Šis ir mākslīgā intelekta asistenta zvans.',
  mt: 'Din hija telefonata minn assistent tal-intelliġenza artifiċjali.',
  nl: 'Dit is een oproep van een AI-assistent.',
  no: 'Dette er en samtale fra en KI-assistent.',
  pl: 'To jest połączenie od asystenta sztucznej inteligencji.',
  pt: 'Esta é uma chamada de um assistente de inteligência artificial.',
  ro: 'Acesta este un apel de la un asistent cu inteligență artificială.',
  sk: 'Toto je hovor od asistenta s umelou inteligenciou.',
  sl: 'To je klic pomočnika z umetno inteligenco.',
  sv: 'Det här är ett samtal från en AI-assistent.',
  tr: 'Bu, bir yapay zekâ asistanından gelen bir aramadır.',
  uk: 'Це дзвінок від помічника зі штучним інтелектом.',
  zh: '这是人工智能助手打来的电话。',
}

const languageAliases: Readonly<Record<string, string>> = { nb: 'no', nn: 'no', cmn: 'zh' }

export type DisclosureSettings = { ai_disclosure: boolean; ai_disclosure_text: string | null }

/**
 * The first sentence of a call: the org's own text, or the default in the language of the persona's voice, or else in
 * English. null: the org switched the sentence off.
 */
export function disclosureOf(settings: DisclosureSettings, language: string | null): string | null {
  if (!settings.ai_disclosure) return null
  const [first = ''] = (language ?? '').toLowerCase().split(/[-_]/)
  return settings.ai_disclosure_text ?? sentences[languageAliases[first] ?? first] ?? sentences.en!
}

const textMax = 300

/** The org's own text. Braces are refused: a variable of a call could make the text empty. */
export const disclosureText = parsedText(
  (value) => {
    const text = value.trim()
    if ([...text].length > textMax) return refuse(`it has at most ${textMax} characters`)
    if (/[{}]/.test(text)) return refuse('it must not have braces: variables of a call are not read in it')
    if (!/\p{L}{2}/u.test(text))
      return refuse(
        'it must contain words: null selects the built-in sentence, and {"ai_disclosure": false} switches it off',
      )
    return text
  },
  { minLength: 2, maxLength: textMax },
)
