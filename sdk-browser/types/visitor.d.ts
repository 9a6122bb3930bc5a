export declare function leaveCookieToServer(): void;
/** The id of this browser on this site. The first call makes it. */
export declare function visitorId(): string;
export declare const userId: () => string | null;
export declare const setUserId: (id: string) => void;
/** What the server needs to set the cookie; undefined: the script sets it. */
export declare const cookieForServer: () => {
    id: string;
    domain: string;
} | undefined;
/** Deletes the ids. The next event makes a new one. */
export declare function forgetVisitor(): void;
