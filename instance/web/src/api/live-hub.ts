import {
  brings,
  type Message,
  messageOf,
  nextRead,
  pauseBefore,
  pollPause,
  SAY_EVERY,
  SILENT_AFTER,
  topicOf,
  union,
  type Want,
} from "./live-rules";

/** An open feed. The hub hears of it by the `FeedEvents` that it opened it with. */
export type Feed = { close(): void };
export type FeedEvents = {
  changed(data: string, id?: string): void;
  reset(id?: string): void;
  alive(id?: string): void;
  /** It has ended; `comesBack` when the browser itself opens it again, with the last id. */
  lost(comesBack: boolean): void;
};

/** What the hub needs of a browser; tests give another one. */
export type Browser = {
  now(): number;
  random(): number;
  after(milliseconds: number, act: () => void): () => void;
  isVisible(): boolean;
  /** Open a feed; `after` is the id of the last event that another one brought: it goes on from there. */
  open(topics: readonly string[], events: FeedEvents, after?: string): Feed;
  say(message: Message): void;
};

type Subscriber = {
  topic: string;
  read: () => void;
  isRunning: () => boolean;
  readAt: number | undefined;
  cancel: (() => void) | undefined;
  isOwed: boolean;
};

/** Screens and tabs say what they want one after the other; one feed is opened for all. */
const GATHER = 50;

/** What to call when a topic has changed, in one tab; in the tab that leads, also the feed of all tabs. */
export class LiveHub {
  #subscribers = new Set<Subscriber>();
  #wants = new Map<string, Want>();
  #isLeading = false;
  #isConnected = false;
  #isOver = false;
  #open: { feed: Feed; topics: readonly string[] } | undefined;
  #opening: { feed: Feed; topics: readonly string[] } | undefined;
  #lastId: string | undefined;
  #attempt = 0;
  #cancelOpening: (() => void) | undefined;
  #cancelSilence: (() => void) | undefined;
  #cancelPoll: (() => void) | undefined;
  #cancelSaying: (() => void) | undefined;

  constructor(
    private readonly tab: string,
    private readonly browser: Browser,
    private readonly shown: (isConnected: boolean, at: number) => void = () => {},
  ) {}

  /** Call `read` when the topic may have changed, at most once a second. Returns how to end that. */
  subscribe(topic: string, read: () => void, isRunning: () => boolean = () => false): () => void {
    const subscriber: Subscriber = {
      topic,
      read,
      isRunning,
      readAt: this.browser.now(),
      cancel: undefined,
      isOwed: false,
    };
    this.#subscribers.add(subscriber);
    this.#sayWants();
    this.#planPoll();
    return () => {
      this.#subscribers.delete(subscriber);
      subscriber.cancel?.();
      this.#sayWants();
    };
  }

  /** This tab has the lock: it keeps the feed for all. */
  lead(): void {
    this.#isLeading = true;
    this.browser.say({ kind: "who" });
    this.#sayWants();
  }

  /** The tab ends, or its person signs out. */
  end(): void {
    this.browser.say({ kind: "gone", tab: this.tab });
    for (const subscriber of this.#subscribers) subscriber.cancel?.();
    this.#subscribers.clear();
    this.#wants.clear();
    this.#closeFeeds();
    for (const cancel of [this.#cancelOpening, this.#cancelPoll, this.#cancelSaying]) cancel?.();
    this.#isLeading = false;
    this.#isOver = true;
  }

  /** Another tab says something. */
  hear(value: unknown): void {
    const message = messageOf(value);
    if (message?.kind === "told") this.#tell(message.topics);
    else if (message?.kind === "who") this.#sayWants();
    else if (message?.kind === "state" && !this.#isLeading) this.#setConnected(message.isConnected);
    else if (message?.kind === "want" && this.#isLeading) this.#want(message.tab, message.topics);
    else if (message?.kind === "gone") this.#wants.delete(message.tab);
  }

  /** The tab is seen again: what it was told meanwhile is read now. */
  wake(): void {
    if (!this.browser.isVisible()) return;
    for (const subscriber of this.#subscribers) if (subscriber.isOwed) this.#plan(subscriber);
    this.#planPoll();
  }

  #sayWants(): void {
    if (this.#isOver) return;
    this.#cancelSaying?.();
    const topics = [...new Set([...this.#subscribers].map((subscriber) => subscriber.topic))];
    this.#want(this.tab, topics);
    this.browser.say({ kind: "want", tab: this.tab, topics });
    this.#cancelSaying = this.browser.after(SAY_EVERY, () => this.#sayWants());
  }

  #want(tab: string, topics: readonly string[]): void {
    if (!this.#isLeading) return;
    this.#wants.set(tab, { topics, saidAt: this.browser.now() });
    if (tab !== this.tab) this.browser.say({ kind: "state", isConnected: this.#isConnected });
    this.#openSoon(GATHER);
  }

  #openSoon(pause: number): void {
    this.#cancelOpening?.();
    this.#cancelOpening = this.browser.after(pause, () => this.#openFeed());
  }

  /** Open a feed for all that is wanted; the one before stays until this one has begun: nothing falls between. */
  #openFeed(): void {
    const topics = union(this.#wants.values(), this.browser.now());
    const latest = this.#opening ?? this.#open;
    if (topics.length === 0 || (latest !== undefined && brings(latest.topics, topics))) return;
    this.#opening?.feed.close();
    const isFirst = this.#open === undefined;
    let mine: { feed: Feed; topics: readonly string[] } | undefined;
    const isMine = () => mine !== undefined && (mine === this.#open || mine === this.#opening);
    const began = (id?: string) => {
      if (!isMine()) return;
      if (id) this.#lastId = id;
      if (mine === this.#opening) {
        this.#open?.feed.close();
        this.#open = mine;
        this.#opening = undefined;
        // Who had no feed until now may have missed anything.
        if (isFirst) this.#tellAll(null);
      }
      this.#attempt = 0;
      this.#setConnected(true);
      this.#watchSilence();
    };
    const events: FeedEvents = {
      alive: began,
      reset: (id) => {
        began(id);
        if (isMine()) this.#tellAll(null);
      },
      changed: (data, id) => {
        began(id);
        const topic = topicOf(data);
        if (isMine() && topic !== null) this.#tellAll([topic]);
      },
      lost: (comesBack) => {
        if (!isMine()) return;
        this.#setConnected(false);
        if (!comesBack) this.#openAgain();
      },
    };
    // What changes while this one is opened, in topics that the one before does not bring, is told by this one.
    const feed = this.browser.open(topics, events, isFirst ? undefined : this.#lastId);
    mine = { feed, topics };
    this.#opening = mine;
    this.#watchSilence();
  }

  #openAgain(): void {
    this.#closeFeeds();
    this.#openSoon(pauseBefore(this.#attempt, this.browser.random()));
    this.#attempt += 1;
  }

  #closeFeeds(): void {
    this.#open?.feed.close();
    this.#opening?.feed.close();
    this.#open = undefined;
    this.#opening = undefined;
    this.#cancelSilence?.();
  }

  #watchSilence(): void {
    this.#cancelSilence?.();
    this.#cancelSilence = this.browser.after(SILENT_AFTER, () => {
      this.#setConnected(false);
      this.#openAgain();
    });
  }

  #setConnected(isConnected: boolean): void {
    const before = this.#isConnected;
    this.#isConnected = isConnected;
    this.shown(isConnected, this.browser.now());
    if (before === isConnected) return;
    if (this.#isLeading) this.browser.say({ kind: "state", isConnected });
    this.#planPoll();
  }

  #tellAll(topics: string[] | null): void {
    this.browser.say({ kind: "told", topics });
    this.#tell(topics);
  }

  #tell(topics: string[] | null): void {
    for (const subscriber of this.#subscribers)
      if (topics === null || topics.includes(subscriber.topic)) this.#plan(subscriber);
  }

  /** Read at most once a second, and not while nobody looks. */
  #plan(subscriber: Subscriber): void {
    subscriber.isOwed = true;
    if (subscriber.cancel !== undefined || !this.browser.isVisible()) return;
    const now = this.browser.now();
    subscriber.cancel = this.browser.after(nextRead(now, subscriber.readAt) - now, () => {
      subscriber.cancel = undefined;
      if (!this.browser.isVisible()) return;
      subscriber.isOwed = false;
      subscriber.readAt = this.browser.now();
      subscriber.read();
    });
  }

  /** Without a feed everything is looked at now and then. */
  #planPoll(): void {
    this.#cancelPoll?.();
    if (this.#isConnected || this.#subscribers.size === 0) return;
    const isRunning = [...this.#subscribers].some((subscriber) => subscriber.isRunning());
    const pause = pollPause(this.browser.isVisible(), isRunning);
    if (pause === null) return;
    this.#cancelPoll = this.browser.after(pause, () => {
      for (const subscriber of this.#subscribers) this.#plan(subscriber);
      this.#planPoll();
    });
  }
}
