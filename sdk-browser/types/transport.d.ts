export type Receiver = {
    /** The address of the requests. */
    url: string;
    key: string;
    /** More members of each request. */
    more: () => object;
    credentials: RequestCredentials;
};
/** Starts to send what waits, also events of earlier pages. */
export declare function startSending(to: Receiver): void;
/** @param count the events of this tab that wait */
export declare function sendSoon(count: number): void;
