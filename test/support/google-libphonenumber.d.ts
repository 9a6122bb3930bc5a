// The package has no types.
declare module 'google-libphonenumber' {
  export type PhoneNumber = { hasExtension(): boolean; getCountryCodeOrDefault(): number }
  export class PhoneNumberUtil {
    static getInstance(): PhoneNumberUtil
    /** @throws if the number cannot be read */
    parse(text: string, region?: string): PhoneNumber
    isValidNumber(number: PhoneNumber): boolean
    getNumberType(number: PhoneNumber): number
    format(number: PhoneNumber, format: number): string
    getSupportedRegions(): string[]
    getExampleNumberForType(region: string, type: number): PhoneNumber | null
  }
  export class ShortNumberInfo {
    static getInstance(): ShortNumberInfo
    isEmergencyNumber(text: string, region: string): boolean
    connectsToEmergencyNumber(text: string, region: string): boolean
  }
  export const PhoneNumberFormat: { E164: number }
  export const PhoneNumberType: {
    FIXED_LINE: number
    MOBILE: number
    PREMIUM_RATE: number
    SHARED_COST: number
    PERSONAL_NUMBER: number
    PAGER: number
  }
}
