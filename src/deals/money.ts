import { exactInteger, parsedText, refuse } from '../platform/http/fields.ts'

/** ISO 4217 codes of countries and unions, without funds and metals. BGN, used until 2025, is included. */
const codes =
  'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CLP CNY ' +
  'COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS ' +
  'INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP ' +
  'MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR ' +
  'SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VED VES VND ' +
  'VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW ZWG'
const currencies: ReadonlySet<string> = new Set(codes.split(' '))

const unknownCurrency = refuse('the currency must be a three-letter code of ISO 4217, such as USD or EUR')

export const currency = parsedText(
  (value) => {
    // Check before the conversion: letters such as ı become ASCII capitals.
    const code = /^[A-Za-z]{3}$/.test(value.trim()) ? value.trim().toUpperCase() : ''
    return currencies.has(code) ? code : unknownCurrency
  },
  { pattern: '^[A-Za-z]{3}$', examples: ['USD'] },
)

/** In the minor unit of the currency (cents, or yen), from 0 to 2^53 - 1. A larger amount is refused, not rounded. */
export const amount = exactInteger({ min: 0, max: Number.MAX_SAFE_INTEGER })
