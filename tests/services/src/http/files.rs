//! Bodies that are more than a line of JSON.

use bytes::Bytes;
use reqwest::header::CONTENT_TYPE;
use stormless::retry;

use super::{ApiClient, ApiError, ORDERS_API, PATIENT, send};

impl ApiClient {
    /// Uploads a file. A clone of `Bytes` is a counter, so each attempt can give one away.
    #[retry(policy = PATIENT, budget = ORDERS_API, idempotent, clone(content))]
    pub async fn upload(&self, name: &str, content: Bytes) -> Result<(), ApiError> {
        let request = self.http.put(self.url(&format!("/files/{name}"))).body(content);
        send(request).await.map(drop)
    }

    /// Uploads what the caller has in whatever form, with its type if it is known.
    #[retry(policy = PATIENT, budget = ORDERS_API, clone(content), idempotent = overwrite)]
    pub async fn attach(
        &self,
        name: &str,
        content: impl Into<reqwest::Body> + Clone + Send,
        content_type: Option<&'static str>,
        overwrite: bool,
    ) -> Result<(), ApiError> {
        let mut request = self.http.post(self.url(&format!("/files/{name}"))).body(content);
        if let Some(content_type) = content_type {
            request = request.header(CONTENT_TYPE, content_type);
        }
        send(request).await.map(drop)
    }

    /// A whole file, read within the attempt: a body that breaks off is asked for again.
    #[retry(policy = PATIENT, budget = ORDERS_API, attempt_timeout = "1s", idempotent)]
    pub async fn download(&self, name: &str) -> Result<Vec<u8>, ApiError> {
        let response = send(self.http.get(self.url(&format!("/files/{name}")))).await?;
        Ok(response.bytes().await?.to_vec())
    }

    /// A file into a buffer of the caller's, piece by piece. All attempts share the buffer, so each
    /// begins by forgetting what the one before it had read.
    #[retry(policy = PATIENT, budget = ORDERS_API, idempotent)]
    pub async fn download_into(&self, name: &str, buffer: &mut Vec<u8>) -> Result<u64, ApiError> {
        buffer.clear();
        let mut response = send(self.http.get(self.url(&format!("/files/{name}")))).await?;
        while let Some(piece) = response.chunk().await? {
            buffer.extend_from_slice(&piece);
        }
        Ok(buffer.len() as u64)
    }

    /// Counts lines without keeping them.
    #[retry(policy = PATIENT, budget = ORDERS_API, idempotent)]
    pub async fn count_lines(&self, name: &str) -> Result<usize, ApiError> {
        let mut response = send(self.http.get(self.url(&format!("/files/{name}")))).await?;
        let announced = response.content_length();
        let (mut lines, mut got) = (0, 0);
        while let Some(piece) = response.chunk().await? {
            got += piece.len() as u64;
            lines += piece.split(|&byte| byte == b'\n').count() - 1;
        }
        match announced {
            Some(announced) if announced != got => Err(ApiError::Incomplete { got, announced }),
            _ => Ok(lines),
        }
    }
}
