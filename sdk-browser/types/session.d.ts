import { type Source } from './source.ts';
/** A visit. `at` is the time of its last event, in Unix milliseconds. */
export type Session = Source & {
    id: string;
    at: number;
};
/** The current session. It ends after 30 minutes without an event, or if the page has another campaign. */
export declare function currentSession(): Session;
/** The next event begins a session. */
export declare const endSession: () => void;
