//! Chromium without a window, by the protocol (<https://www.w3.org/TR/webdriver2/>) that its driver
//! speaks: a handful of requests with JSON in them.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    path::Path,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use reqwest::{Client, Method};
use serde_json::{Value, json};

use crate::tool::is_there;

/// How long a page may take to become what is waited for.
const PATIENCE: Duration = Duration::from_secs(20);

/// How often a driver is started that finds the port taken which it has chosen itself: it wants the same one of
/// two families of addresses, and another process may be quicker at the second.
const TRIES: usize = 5;

/// A driver, and where it listens.
fn drive() -> (Child, u16) {
    for _ in 0..TRIES {
        let mut driver = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .spawn()
            .expect("it could be started a moment ago");
        let output = BufReader::new(driver.stdout.take().expect("it is a pipe"));
        let said = output
            .lines()
            .map_while(Result::ok)
            .find_map(|line| Some(line.split_once("successfully on port ")?.1.to_owned()));
        if let Some(port) = said {
            let port = port.trim_end_matches('.').parse().expect("it says a port");
            return (driver, port);
        }
        driver.wait().expect("it has ended");
    }
    panic!("no driver says where it listens, of {TRIES}");
}

/// A browser with one page, and the process that drives it.
pub struct Browser {
    driver: Child,
    port: u16,
    client: Client,
    session: String,
}

impl Browser {
    /// Starts one that can reach nothing but this machine. `None` where it is not installed.
    ///
    /// # Panics
    ///
    /// It is required and missing, or there and does not start.
    pub async fn start() -> Option<Self> {
        if !is_there("chromium", "chromium") || !is_there("chromedriver", "chromium-driver") {
            return None;
        }
        let (driver, port) = drive();
        let address = format!("http://127.0.0.1:{port}");
        let client = Client::builder().timeout(3 * PATIENCE).build().expect("it can be built");
        let mut browser = Self { driver, port, client, session: format!("{address}/session") };
        let arguments = [
            "--headless=new",
            // Neither is to be had in most containers.
            "--no-sandbox",
            "--disable-dev-shm-usage",
            "--disable-gpu",
            "--window-size=1400,1000",
            // Whatever else the page asks for is not found, here as on a machine without a network.
            "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
        ];
        let wanted = json!({"capabilities": {"alwaysMatch": {
            "goog:chromeOptions": {"args": arguments},
            "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
        }}});
        let made = browser.send(Method::POST, "", &wanted).await;
        let id = made["sessionId"].as_str().expect("the driver names the session");
        browser.session = format!("{address}/session/{id}");
        Some(browser)
    }

    async fn send(&self, method: Method, path: &str, body: &Value) -> Value {
        let url = format!("{}{path}", self.session);
        let answer = self.client.request(method, url).json(body).send().await;
        let answer = answer.expect("the driver answers");
        let status = answer.status();
        let mut content: Value = answer.json().await.expect("it answers in JSON");
        assert!(status.is_success(), "{path} {body}: {content}");
        content["value"].take()
    }

    /// Loads a page.
    pub async fn open(&self, url: &str) {
        self.send(Method::POST, "/url", &json!({"url": url})).await;
    }

    /// Runs the body of a function in the page, and gives what it returns.
    pub async fn run(&self, script: &str) -> Value {
        self.send(Method::POST, "/execute/sync", &json!({"script": script, "args": []})).await
    }

    /// Waits until an expression is true, whether or not the page is loaded again meanwhile.
    ///
    /// # Panics
    ///
    /// It does not become true.
    pub async fn wait_for(&self, expression: &str) {
        let begun = Instant::now();
        // A page that is just being replaced has no elements: that is a no, not a failure.
        let script = format!("try {{ return !!({expression}) }} catch {{ return false }}");
        while self.run(&script).await != true {
            assert!(begun.elapsed() < PATIENCE, "in vain for {expression}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Clicks where a reader would: on the middle of what is seen.
    pub async fn click(&self, selector: &str) {
        let element = self.find(selector).await;
        self.send(Method::POST, &format!("/element/{element}/click"), &json!({})).await;
    }

    /// Types into a field that is empty.
    pub async fn enter(&self, selector: &str, text: &str) {
        let element = self.find(selector).await;
        self.send(Method::POST, &format!("/element/{element}/clear"), &json!({})).await;
        self.send(Method::POST, &format!("/element/{element}/value"), &json!({"text": text})).await;
    }

    async fn find(&self, selector: &str) -> String {
        let query = json!({"using": "css selector", "value": selector});
        let found = self.send(Method::POST, "/element", &query).await;
        let reference = found.as_object().and_then(|fields| fields.values().next());
        reference.and_then(Value::as_str).expect("the driver refers to the element").to_owned()
    }

    /// Makes the screen of a phone of it, or of anything else, in CSS pixels.
    pub async fn resize(&self, width: u32, height: u32, mobile: bool) {
        let metrics =
            json!({"width": width, "height": height, "deviceScaleFactor": 2, "mobile": mobile});
        self.command("Emulation.setDeviceMetricsOverride", &metrics).await;
    }

    /// As for readers who prefer dark pages.
    pub async fn darken(&self) {
        let features = json!({"features": [{"name": "prefers-color-scheme", "value": "dark"}]});
        self.command("Emulation.setEmulatedMedia", &features).await;
    }

    async fn command(&self, name: &str, parameters: &Value) -> Value {
        let body = json!({"cmd": name, "params": parameters});
        self.send(Method::POST, "/goog/cdp/execute", &body).await
    }

    /// Saves what is seen, down to the end of the page, as a PNG. The page has to stand still: Chromium never
    /// finishes a picture of one that is replaced meanwhile.
    ///
    /// # Panics
    ///
    /// There is no picture, or the file cannot be written.
    pub async fn screenshot(&self, file: &Path) {
        let whole = json!({"captureBeyondViewport": true});
        let picture = self.command("Page.captureScreenshot", &whole).await;
        let data = picture["data"].as_str().expect("there is a picture");
        std::fs::write(file, base64(data)).expect("the directory can be written to");
    }

    /// The addresses of all that was asked for since this was asked last.
    pub async fn requests(&self) -> Vec<String> {
        let log = self.log("performance").await;
        let messages = log.iter().filter_map(|entry| serde_json::from_str(entry.as_str()?).ok());
        messages
            .filter(|entry: &Value| entry["message"]["method"] == "Network.requestWillBeSent")
            .filter_map(|entry| {
                Some(entry["message"]["params"]["request"]["url"].as_str()?.to_owned())
            })
            .collect()
    }

    /// What the console says since this was asked last: faults in scripts, and what was not to be had.
    pub async fn complaints(&self) -> Vec<Value> {
        self.log("browser").await
    }

    async fn log(&self, kind: &str) -> Vec<Value> {
        let mut log = self.send(Method::POST, "/se/log", &json!({"type": kind})).await;
        let entries = log.as_array_mut().expect("a log is a list");
        entries.iter_mut().map(|entry| entry["message"].take()).collect()
    }

    /// Asks the driver to end itself and its browser, which would outlive it otherwise.
    fn shut_down(&self) -> std::io::Result<()> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port))?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream
            .write_all(b"GET /shutdown HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")?;
        stream.read_to_end(&mut Vec::new()).map(drop)
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Whatever is wrong with it, the test has said so.
        let _ = self.shut_down();
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

/// What base64 stands for; signs that do not belong to it are left out.
fn base64(text: &str) -> Vec<u8> {
    const SIGNS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut bytes, mut bits, mut held) = (Vec::new(), 0, 0_u32);
    for six in text.bytes().filter_map(|sign| SIGNS.iter().position(|known| *known == sign)) {
        held = held << 6 | u32::try_from(six).unwrap_or_default();
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push((held >> bits & 0xff) as u8);
        }
    }
    bytes
}
