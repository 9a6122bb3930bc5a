import type { Consent, ConsentDefault } from './options.ts';
/** The current state, as events carry it. */
export declare const consent: Required<Consent>;
export declare const hasGpc: () => boolean;
export declare const hasDnt: () => boolean;
/** Whether ids and events may be stored in this browser. */
export declare const mayStore: () => boolean;
/** Whether click ids of advertisements may be used. */
export declare const mayUseAds: () => boolean;
/** The milliseconds for which events wait for an update; 0 or less: they do not wait. */
export declare const waitMs: () => number;
/** From now on, Do Not Track denies everything. */
export declare function respectDnt(): void;
export declare function setConsent(command: 'default' | 'update', given: ConsentDefault): void;
