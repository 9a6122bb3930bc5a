/** Names the queue: a page with another write key must not send these events. */
export declare function openQueue(key: string): void;
/**
 * Adds an event, and returns how many of this tab wait. Each event has a name of its own, so that two tabs that write at the
 * same time do not overwrite each other. The oldest events above 200 are dropped.
 */
export declare function add(event: string, messageId: string): number;
/** The names of all events that wait, oldest first. Events of the day before are dropped. */
export declare function waiting(): string[];
/** The names of the events of this tab that no tab has sent yet. */
export declare function ownWaiting(): string[];
/** The first of `names` that fit into one request, and their events as a JSON list. */
export declare function partOf(names: readonly string[]): {
    names: string[];
    events: string;
};
