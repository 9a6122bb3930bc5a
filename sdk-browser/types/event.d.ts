export type EventType = 'track' | 'page' | 'identify' | 'group';
/** An event before anything about the visitor is known. */
export type Draft = {
    type: EventType;
    messageId: string;
    timestamp: string;
    page: {
        url: string;
        path: string;
        title: string;
        referrer: string | undefined;
    };
    [member: string]: unknown;
};
export declare function draft(type: EventType, members: object): Draft;
/** The event as it is sent. Without consent to storage, it has no id. */
export declare function completed({ page, ...members }: Draft): object;
