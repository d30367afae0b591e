interface Topic {
  id: string;
  title: string;
  /** One line for the list of topics. */
  about: string;
  parts: readonly { title?: string; paragraphs: readonly string[]; steps?: readonly string[] }[];
}

export const help = {
  title: "Help",
  intro: "Short pages about what people ask most. Anything else: write to the facility from Messages.",
  topics: [
    {
      id: "ordering",
      title: "Ordering sequencing",
      about: "From a new order to samples in the facility",
      parts: [
        {
          paragraphs: [
            "An order says what is sequenced and how. It is a draft until you submit it, and drafts are saved by themselves: close the page and come back later.",
          ],
          steps: [
            "Choose New order, give it a name, and choose a platform.",
            "Answer the questions of the facility. Those that are required say so.",
            "Enter the samples, or paste them from a spreadsheet.",
            "Choose Check. Each gap leads to its cell.",
            "Submit. The packing slip then lists the codes of the samples, with what the facility says about sending them.",
          ],
        },
        {
          title: "What happens then",
          paragraphs: [
            "The line at the top of an order shows where it stands: submitted, samples in, sequenced, reads, analysed, delivered. Below it stands what is next and whose turn it is.",
          ],
        },
      ],
    },
    {
      id: "samples",
      title: "Pasting samples",
      about: "From Excel, LibreOffice or Google Sheets into an order",
      parts: [
        {
          paragraphs: ["Copy the cells in your spreadsheet, select a cell of the table and paste."],
          steps: [
            "With column names in the first row, columns are matched by name. A strip says what was matched.",
            "Without them, the columns are filled from the selected cell on.",
            "If you paste more rows than there are, rows are added.",
            "Ctrl Z takes back what was pasted.",
          ],
        },
        {
          title: "Numbers, dates and organisms",
          paragraphs: [
            "Decimal commas and dates in your own form are understood and shown as they will be stored. An organism is chosen from the list, or written with its tax id.",
            "Every sample of an order needs a name of its own: files are matched with samples by it.",
          ],
        },
      ],
    },
    {
      id: "metadata",
      title: "Metadata of a study",
      about: "From samples and a checklist to complete metadata",
      parts: [
        {
          paragraphs: [
            "A study holds samples of your orders. Its checklist says what public archives ask of each: some answers are required, some recommended, the rest is up to you.",
          ],
          steps: [
            "Choose New study, give it a title, a checklist, and the orders whose samples belong to it.",
            "In the Metadata tab, paste a table from your spreadsheet. With column names in the first row, columns are matched by name; with a column Sample, rows are as well.",
            "Where there is no value, choose a term such as not collected from the list in the cell, or No value for all selected cells.",
            "Only incomplete shows the samples that still miss something.",
          ],
        },
        {
          title: "A newer version of the checklist",
          paragraphs: [
            "A study stays on the version it began with. When a newer one is out, its Version tab lists the fields that change and the samples to look at. It moves when you choose Move.",
          ],
        },
      ],
    },
    {
      id: "analyses",
      title: "Runs of pipelines",
      about: "How an analysis goes, what it has made, and why one failed",
      parts: [
        {
          paragraphs: [
            "A run is one analysis of an order or a study with one pipeline. Its page has its number as heading, and follows the run by itself. Results shows what it has made: reports, tables, and the files of each sample.",
            "Researchers see the runs that the facility has selected as their results, with Summary and Results.",
          ],
        },
        {
          title: "Starting one",
          paragraphs: [
            "An admin chooses Start analysis in the Analyses tab of an order, or on the page of a study: a pipeline, the samples, and its settings. Samples that can't be used say why. The service checks all of it while you choose, and only settings that you change are sent.",
            "A run that has to wait for this machine says its place and what it waits for. A run that was made and not started stays in the list, to be started or deleted.",
          ],
        },
        {
          title: "Results and reads",
          paragraphs: [
            "Select as result shows a run to the researcher; it takes the place of another run of the same pipeline. Promote makes the reads that a run offers those of their samples, pair by pair, and keeps the reads before. Release in the Delivery tab hands the files to the researcher, whose open page changes by itself.",
          ],
        },
        {
          title: "When a run fails",
          paragraphs: [
            "Summary says what is likely the cause, and shows the line where it was seen. Evidence lists what the workflow engine, the machine and the outputs said, each with its time: what nobody knows stands there as unknown.",
          ],
        },
      ],
    },
    {
      id: "delivery",
      title: "Fetching a delivery",
      about: "Files, sizes and checksums",
      parts: [
        {
          paragraphs: [
            "When the facility releases the files of an order, they stand in its Delivery tab: by sample, with size and MD5, reports first. Download all gives one archive; your browser can go on with a download that broke.",
            "Check the files after a download. Check a folder compares a folder on your computer with the list of checksums. On the command line, put checksums.md5 from the same page beside the files and run md5sum -c checksums.md5.",
          ],
        },
      ],
    },
    {
      id: "cluster",
      title: "Fetching on a cluster",
      about: "Without a browser",
      parts: [
        {
          paragraphs: [
            "In the Delivery tab of an order that is released, choose On a cluster. You get an address that works for 7 days unless you choose otherwise, and a whole line for curl, wget, aria2c or rclone. Whoever has the address can fetch the files: revoke it when you are done.",
            "The line for seqfacility-client uses no address. It asks for your password, and checks the files itself.",
          ],
          steps: [
            "Copy the line and paste it in a terminal, in the folder where the files go.",
            "If the connection breaks, run the same line again. Files that are whole stay. curl and wget go on within a file, aria2c too unless it was killed; rclone begins it anew.",
            "Run the check line of the dialog too. It fetches the list of checksums, and says OK to each file.",
          ],
        },
      ],
    },
    {
      id: "reads",
      title: "Reads of an order",
      about: "For the facility: where reads come from, and what can be done with them",
      parts: [
        {
          paragraphs: [
            "The Reads tab of an order shows each sample with its files: size, reads, quality, what was found when they were examined, what is known of the MD5, and the data class. Choose a sample to see where its reads came from, who changed what, and the reads that it had before.",
            "Files that lie below the data folder already are linked where they lie: Link files on disk lists a folder, and the names of the files say which sample and mate each is. What is unclear you say yourself.",
          ],
        },
        {
          title: "Data classes",
          paragraphs: [
            "Researchers get cleaned reads of an order that is released, and never raw or unclassified ones. A change of the data class of a released order shows or hides files at once, and the dialog says so before.",
          ],
        },
        {
          title: "MD5",
          paragraphs: [
            "Given: somebody stated it, and it was not compared with the file. Computed here: nobody stated one, and the service made it. Verified: the file has the one that is on record. Differs: it has not; look at the file before anybody works with it.",
          ],
        },
        {
          title: "Removing and deleting",
          paragraphs: [
            "Remove from use takes the reads from the sample and leaves the files on disk. Delete files deletes them for good, after the number of the order is typed; no earlier read comes back into use. Files of a running analysis are not deleted.",
          ],
        },
      ],
    },
    {
      id: "keys",
      title: "Keys",
      about: "Everything works without a mouse",
      parts: [],
    },
  ] satisfies readonly Topic[],
  keysTitle: "Key",
  doesTitle: "What it does",
  keys: [
    ["Ctrl K", "Go to an order, a sample, a study or a page"],
    ["j, k", "Next and previous row of a table"],
    ["Enter", "Open the row, the tile or the cell"],
    ["Arrow keys", "Move in a plate, a menu, tabs or a table of samples"],
    ["Shift with arrow keys", "Select several cells in a table of samples"],
    ["Ctrl D", "Fill down in a table of samples"],
    ["Ctrl Z, Ctrl Y", "Undo and redo in a table of samples"],
    ["F8", "Go to the latest message of the page, to undo for example"],
    ["Escape", "Close a dialog or a menu"],
  ] as const,
  accessibilityTitle: "Accessibility",
  accessibility: [
    "These pages are made to meet WCAG 2.2, level AA. What was tested, and what was not, is this.",
    "With a program: axe-core examines every page in Chromium, with its rules for WCAG 2.2 A and AA and its best practices, and must find nothing; the main pages also while they load, empty, in an outage, without a connection and after the session has ended. Each is examined in the light or the dark theme at 1,280, 390 or 320 pixels, by turns; few in every combination. None may scroll sideways at any of these widths.",
    "With the keyboard alone: signing in and ordering 96 samples, fetching a delivery on a cluster, and asking the facility. On the pages of orders, messages, notifications, the profile and this help, all that can be operated is reached with Tab. The pages of studies were not walked so.",
    "By names and roles: the tests of every page find its buttons, fields, tables and notices by the role and the name that assistive technology is told.",
    "A state is never told by colour alone: each has a mark of its own and its name in words. The pages follow the theme, the reduced motion and the forced colours that your system asks for; with forced colours they were not tested.",
    "What a program finds is not everything. No screen reader was tried yet, no speech control, and no browser but Chromium. This is as of 23 November 2026.",
  ],
  accessibilityContact: "If something keeps you from your work, tell the facility:",
  accessibilityNobody: "If something keeps you from your work, tell the facility.",
} as const;

export type HelpTopic = Topic;
