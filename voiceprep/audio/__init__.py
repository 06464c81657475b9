"""Sound in and out: devices, files, frames from a browser. Inside, everything is mono float32."""
