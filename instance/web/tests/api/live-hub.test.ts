import { beforeEach, describe, expect, test } from "vitest";
import { type FeedEvents, LiveHub } from "../../src/api/live-hub";
import { type Message, SILENT_AFTER } from "../../src/api/live-rules";

/** A browser of several tabs whose clock stands still until a test moves it. */
class FakeBrowser {
  time = 0;
  isVisible = true;
  feeds: { topics: readonly string[]; events: FeedEvents; isOpen: boolean; after: string | undefined }[] = [];
  #timers: { at: number; act: () => void }[] = [];
  #tabs: LiveHub[] = [];

  tab(name: string): LiveHub {
    const hub: LiveHub = new LiveHub(name, {
      now: () => this.time,
      random: () => 0,
      after: (milliseconds, act) => {
        const timer = { at: this.time + milliseconds, act };
        this.#timers.push(timer);
        return () => {
          this.#timers = this.#timers.filter((other) => other !== timer);
        };
      },
      isVisible: () => this.isVisible,
      open: (topics, events, after) => {
        const feed = { topics, events, isOpen: true, after };
        this.feeds.push(feed);
        return {
          close: () => {
            feed.isOpen = false;
          },
        };
      },
      say: (message: Message) => {
        for (const other of this.#tabs) if (other !== hub) other.hear(structuredClone(message));
      },
    });
    this.#tabs.push(hub);
    return hub;
  }

  pass(milliseconds: number): void {
    const end = this.time + milliseconds;
    for (;;) {
      const [next] = this.#timers.filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at);
      if (next === undefined) break;
      this.#timers = this.#timers.filter((timer) => timer !== next);
      this.time = Math.max(this.time, next.at);
      next.act();
    }
    this.time = end;
  }

  get open() {
    return this.feeds.filter((feed) => feed.isOpen);
  }

  begin(): FeedEvents {
    this.pass(100);
    const feed = this.open.at(-1);
    if (feed === undefined) throw new Error("no feed is open");
    feed.events.alive();
    return feed.events;
  }
}

let browser: FakeBrowser;
let reads: string[];
const read = (name: string) => () => void reads.push(name);
const hint = (topic: string) => JSON.stringify({ topic });

beforeEach(() => {
  browser = new FakeBrowser();
  reads = [];
});

describe("one tab", () => {
  test("reads what changes, once a second at most, and the last change is never left out", () => {
    const tab = browser.tab("a");
    tab.lead();
    tab.subscribe("orders", read("orders"));
    const feed = browser.begin();
    browser.pass(5000);
    reads = [];

    for (let number = 0; number < 9; number += 1) {
      feed.changed(hint("orders"));
      browser.pass(100);
    }
    expect(reads).toHaveLength(1);
    browser.pass(1000);
    expect(reads).toHaveLength(2);
  });

  test("reads everything once when a feed begins that was not there, since anything may have changed", () => {
    const tab = browser.tab("a");
    tab.lead();
    tab.subscribe("orders", read("orders"));
    tab.subscribe("runs", read("runs"));
    browser.begin();
    browser.pass(2000);

    expect(reads).toEqual(["orders", "runs"]);
  });

  test("keeps the feed it has until the one with further topics has begun", () => {
    const tab = browser.tab("a");
    tab.lead();
    tab.subscribe("orders", read("orders"));
    const first = browser.begin();
    tab.subscribe("runs", read("runs"));
    browser.pass(2000);
    reads = [];
    expect(browser.open.map((feed) => feed.topics)).toEqual([["orders"], ["orders", "runs"]]);

    first.changed(hint("orders"));
    browser.begin();
    browser.pass(2000);

    expect(reads).toEqual(["orders"]);
    expect(browser.open.map((feed) => feed.topics)).toEqual([["orders", "runs"]]);
  });

  test("begins the feed with further topics behind what the one before brought, so nothing falls between", () => {
    const tab = browser.tab("a");
    tab.lead();
    tab.subscribe("orders", read("orders"));
    const first = browser.begin();
    expect(browser.open[0]?.after).toBeUndefined();
    first.changed(hint("orders"), "1763942400.17");
    tab.subscribe("stream:1", read("stream"));
    browser.pass(100);
    expect(browser.open.at(-1)?.after).toBe("1763942400.17");

    browser.begin().changed(hint("stream:1"));
    browser.pass(1000);
    expect(reads).toContain("stream");
  });

  test("opens no new feed when a screen is left", () => {
    const tab = browser.tab("a");
    tab.lead();
    tab.subscribe("orders", read("orders"));
    const leave = tab.subscribe("runs", read("runs"));
    browser.begin();

    leave();
    browser.pass(1000);

    expect(browser.feeds).toHaveLength(1);
  });

  test("comes back after growing pauses when the feed is refused, and looks by itself meanwhile", () => {
    const tab = browser.tab("a");
    tab.lead();
    tab.subscribe("runs", read("runs"), () => true);
    browser.pass(100);
    browser.feeds[0]?.events.lost(false);
    expect(browser.open).toHaveLength(0);
    browser.pass(1000);
    expect(browser.open).toHaveLength(1);
    browser.feeds[1]?.events.lost(false);
    browser.pass(1900);
    expect(browser.open).toHaveLength(0);
    browser.pass(200);
    expect(browser.open).toHaveLength(1);

    browser.pass(4000);
    expect(reads.length).toBeGreaterThanOrEqual(2);
  });

  test("leaves coming back to the browser when the connection was cut, which knows the last id", () => {
    const tab = browser.tab("a");
    tab.lead();
    tab.subscribe("orders", read("orders"));
    const feed = browser.begin();

    feed.lost(true);
    browser.pass(5000);

    expect(browser.feeds).toHaveLength(1);
    expect(browser.open).toHaveLength(1);
  });

  test("opens a new feed when the one it has says nothing for too long", () => {
    const tab = browser.tab("a");
    tab.lead();
    tab.subscribe("orders", read("orders"));
    browser.begin();

    browser.pass(SILENT_AFTER + 1500);

    expect(browser.feeds).toHaveLength(2);
    expect(browser.open).toHaveLength(1);
  });

  test("reads nothing while nobody looks, and what is owed when somebody does", () => {
    const tab = browser.tab("a");
    tab.lead();
    tab.subscribe("orders", read("orders"));
    const feed = browser.begin();
    browser.pass(2000);
    reads = [];
    browser.isVisible = false;

    feed.changed(hint("orders"));
    browser.pass(10_000);
    expect(reads).toEqual([]);
    browser.isVisible = true;
    tab.wake();
    browser.pass(10);

    expect(reads).toEqual(["orders"]);
  });

  test("calls nobody who has left", () => {
    const tab = browser.tab("a");
    tab.lead();
    const leave = tab.subscribe("orders", read("orders"));
    const feed = browser.begin();
    feed.changed(hint("orders"));

    leave();
    browser.pass(5000);

    expect(reads).toEqual([]);
  });

  test("ends its feed with the session, and says nothing more", () => {
    const tab = browser.tab("a");
    tab.lead();
    const leave = tab.subscribe("orders", read("orders"));
    browser.begin();

    tab.end();
    leave();
    browser.pass(200_000);

    expect(browser.open).toHaveLength(0);
    expect(reads).toEqual([]);
  });
});

describe("two tabs", () => {
  test("have one feed for what both want, and each hears its own", () => {
    const [first, second] = [browser.tab("a"), browser.tab("b")];
    first.lead();
    first.subscribe("orders", read("first orders"));
    second.subscribe("runs", read("second runs"));
    const feed = browser.begin();
    browser.pass(5000);
    reads = [];

    feed.changed(hint("runs"));
    browser.pass(1000);

    expect(browser.open.map((one) => one.topics)).toEqual([["orders", "runs"]]);
    expect(reads).toEqual(["second runs"]);
  });

  test("go on with a feed of the second when the first is closed, and read everything once", () => {
    const [first, second] = [browser.tab("a"), browser.tab("b")];
    first.lead();
    first.subscribe("orders", read("first orders"));
    second.subscribe("runs", read("second runs"));
    browser.begin();
    browser.pass(5000);
    reads = [];

    first.end();
    second.lead();
    const feed = browser.begin();
    browser.pass(2000);
    expect(reads).toEqual(["second runs"]);
    feed.changed(hint("runs"));
    browser.pass(2000);

    expect(browser.open.map((one) => one.topics)).toEqual([["runs"]]);
    expect(reads).toEqual(["second runs", "second runs"]);
  });
});
